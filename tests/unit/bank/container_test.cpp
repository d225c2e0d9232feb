// Containers of other systems: the bytes their own classes wrote, read and written; and what is not
// one.
#include "bank/container.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "bank/container_folder.h"
#include "base/endian.h"
#include "support/contains.h"
#include "support/temporary_folder.h"
#include "unit/dialect/vectors.h"

namespace bloomery {
namespace {

using test::empty_filter;
using test::unhex;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string written(const Filter& filter, std::string_view group = "1") {
  const GroupFilter entry{group, &filter, 1};
  const auto bytes = container_bytes({&entry, 1});
  return bytes ? text_of(*bytes) : "error: " + bytes.error().message;
}

std::string long_key(std::int64_t number) {
  std::string key(8, '\0');
  store_le(key.data(), number);
  return key;
}

Filter filled(Filter filter, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) filter.insert(key);
  return filter;
}

const std::vector<std::string> kHadoopKeys{"alice", "bob", "caro\xe9"};
const std::vector<std::string> kSparkKeys{long_key(0),         long_key(42), long_key(-1),
                                          long_key(INT64_MIN), "hello",      "caf\xc3\xa9",
                                          unhex("ff0001")};
const std::vector<std::string> kRatings{"tt0000001", "tt0000002"};

struct Vector {
  Filter filter;
  std::vector<std::string> keys;
  std::string file;
};

std::vector<Vector> vectors() {
  std::vector<Vector> list;
  const auto add = [&](Filter filter, const std::vector<std::string>& keys, std::string file) {
    list.push_back({filled(std::move(filter), keys), keys, std::move(file)});
  };
  add(empty_filter(Dialect::kHadoop, HashId::kHadoopMurmur, 101, 4), kHadoopKeys,
      unhex("ffffffff00000004010000006500500008188800400101000400"));
  add(empty_filter(Dialect::kHadoop, HashId::kHadoopJenkins, 101, 4), kHadoopKeys,
      unhex("ffffffff00000004000000006500200000400100844110004012"));
  add(empty_filter(Dialect::kHadoop, HashId::kHadoopMurmur, 8, 1), {},
      unhex("ffffffff00000001010000000800"));
  add(empty_filter(Dialect::kSparkV1, HashId::kSparkMurmur3, 192, 5), kSparkKeys,
      unhex("000000010000000500000003042600004928a212a2015808080c04800804090400100002"));
  add(empty_filter(Dialect::kSpark, HashId::kSparkMurmur3, 192, 5), kSparkKeys,
      unhex("000000020000000500000000000000031003040120900a00060900041000612440500450180201c0"));
  add(empty_filter(Dialect::kSpark, HashId::kSparkMurmur3, 192, 5, 7), kSparkKeys,
      unhex("0000000200000005000000070000000300c051000000009241290001046148224008004140141a08"));
  add(empty_filter(Dialect::kPisaJava, HashId::kHadoopMurmur, 101, 7), kRatings,
      "{\"P\":0.01,\"bitArray\":\"20000900001000a1000500b5\",\"rating\":1,\"K\":7,\"m\":101}\n");
  add(empty_filter(Dialect::kPisaPython, HashId::kMurmur3x32, 101, 7), kRatings,
      "{\"rating\": 1, \"m\": 101, \"K\": 7, \"P\": 0.01, \"bitarray\": "
      "\"020c4509011020200040020000\"}\n");
  return list;
}

TEST(Container, IsWrittenToTheByteAsTheOriginalWritesIt) {
  for (const Vector& vector : vectors()) EXPECT_EQ(written(vector.filter), vector.file);
}

TEST(Container, OfTheOriginalIsReadWithItsAnswersAndWrittenAgain) {
  for (const Vector& vector : vectors()) {
    const auto dialect = container_dialect(bytes_of(vector.file), vector.file.size());
    ASSERT_TRUE(dialect);
    EXPECT_EQ(*dialect, vector.filter.spec().dialect);
    const auto bank = read_container(bytes_of(vector.file), "file");
    ASSERT_TRUE(bank) << bank.error().message;
    const BankEntry& entry = bank->entries().front();
    for (const std::string& key : vector.keys) EXPECT_TRUE(entry.filter().may_contain(key));
    EXPECT_TRUE(std::ranges::equal(entry.filter().table(), vector.filter.table()));
    EXPECT_EQ(entry.filter().spec().hasher, vector.filter.spec().hasher);
    const GroupFilter again{entry.group(), &entry.filter(), entry.count()};
    EXPECT_EQ(text_of(container_bytes({&again, 1}).value()), vector.file);
  }
}

// Every shorter file is refused; so is every longer one. Text may lose its line end.
TEST(Container, RefusesEveryOtherLength) {
  for (const Vector& vector : vectors()) {
    const Dialect dialect = vector.filter.spec().dialect;
    const std::size_t whole =
        vector.file.ends_with('\n') ? vector.file.size() - 1 : vector.file.size();
    for (std::size_t size = 0; size < whole; ++size) {
      const auto cut = read_container(bytes_of(vector.file.substr(0, size)), "file", {dialect});
      ASSERT_FALSE(cut) << size;
      EXPECT_TRUE(cut.error().message.starts_with("file: ")) << cut.error().message;
    }
    EXPECT_FALSE(read_container(bytes_of(vector.file + "x"), "file", {dialect}));
  }
}

void expect_refused(const std::string& file, Dialect dialect, std::string_view message) {
  const auto bank = read_container(bytes_of(file), "f", {dialect});
  ASSERT_FALSE(bank) << message;
  EXPECT_EQ(bank.error().message, message);
}

TEST(Container, RefusesFieldsWithoutAMeaning) {
  expect_refused(unhex("ffffffff00000000010000000800"), Dialect::kHadoop,
                 "f: damaged at byte 4: no number of hashes from 1 to 2^31 - 1");
  expect_refused(unhex("ffffffff80000001010000000800"), Dialect::kHadoop,
                 "f: damaged at byte 4: no number of hashes from 1 to 2^31 - 1");
  expect_refused(unhex("ffffffff00000001020000000800"), Dialect::kHadoop,
                 "f: damaged at byte 8: type 2 of hash; 0 and 1 are known");
  expect_refused(unhex("ffffffff0000000101ffffffff00"), Dialect::kHadoop,
                 "f: damaged at byte 9: no number of bits from 1 to 2^31 - 1");
  expect_refused(unhex("ffffffff00000001017fffffff00"), Dialect::kHadoop,
                 "f: damaged at byte 14: 1 bytes of bits where 2147483647 bits take 268435456");
  expect_refused(unhex("ffffffff00000001010000000780"), Dialect::kHadoop,
                 "f: bits past the last, 7, are not zero");
  expect_refused(unhex("ffffffff00000041010000000800"), Dialect::kHadoop,
                 "f: hashes: 65 must be from 1 to 64");
  expect_refused(unhex("fffffffe00000001010000000800"), Dialect::kHadoop,
                 "f: damaged at byte 0: a version that is not -1");
  expect_refused(unhex("00000003000000050000000143a2ec6ea8c117e2"), Dialect::kSpark,
                 "f: damaged at byte 0: version 3 where 2 is expected");
  expect_refused(unhex("0000000100000005ffffffff"), Dialect::kSparkV1,
                 "f: damaged at byte 8: no number of words from 1 to 2^31 - 1");
  expect_refused("{}\n", Dialect::kPisaJava, "f: damaged at byte 0: no whole number \"rating\"");
  expect_refused("{\"P\":1,\"bitArray\":\"zz\",\"rating\":1,\"K\":1,\"m\":8}", Dialect::kPisaJava,
                 "f: digit 0 of \"bitArray\" is not hexadecimal");
  expect_refused("{\"P\":1,\"bitArray\":\"ffff\",\"rating\":1,\"K\":1,\"m\":8}", Dialect::kPisaJava,
                 "f: damaged at byte 0: \"bitArray\" has 4 digits where 8 bits take 2");
}

TEST(Container, NamesHadoopsOtherClasses) {
  const std::string counting =
      unhex("ffffffff000000030100000025000203000010000200100100000010000000000000000100");
  expect_refused(counting, Dialect::kHadoop,
                 "f: a CountingBloomFilter by its length; of Hadoop's classes only BloomFilter can "
                 "be read");
  const std::string dynamic = unhex(
      "ffffffff000000030100000040000000020000000100000002ffffffff0000000301000000400840000200000088"
      "ffffffff0000000301000000400001000804000000");
  expect_refused(
      dynamic, Dialect::kHadoop,
      "f: a DynamicBloomFilter by its length; of Hadoop's classes only BloomFilter can be "
      "read");
}

TEST(Container, ReadsTheOldHeaderOfHadoopWhereTold) {
  const auto bank = read_container(bytes_of(unhex("000000040000006500200000400100844110004012")),
                                   "f", {Dialect::kHadoop});
  ASSERT_TRUE(bank) << bank.error().message;
  EXPECT_EQ(bank->entries().front().filter().spec().hasher.id(), HashId::kHadoopJenkins);
  EXPECT_TRUE(bank->entries().front().filter().may_contain("bob"));
}

TEST(Container, HoldsOnlyWhatTheOtherSystemCan) {
  FilterSpec spec = empty_filter(Dialect::kHadoop, HashId::kHadoopMurmur, 8, 1).spec();
  spec.bits = std::uint64_t{1} << 31U;
  EXPECT_EQ(validate(spec).error().message,
            "bits: 2147483648 are more than the 2147483647 that Hadoop's BloomFilter can hold; use "
            "more groups or a higher fpr");
  const Filter ratings = empty_filter(Dialect::kPisaJava, HashId::kHadoopMurmur, 101, 7);
  EXPECT_EQ(written(ratings, "high"),
            "error: group \"high\": the course project's groups are ratings, whole numbers of 32 "
            "bits; \"high\" is none");
  const Filter own = Filter::create(plan_filter(Kind::kClassic, 10, 0.01).value()).value();
  EXPECT_EQ(written(own),
            "error: group \"1\": has bloomery's own hash and positions, which no other system can "
            "ask; build it with --dialect");
}

TEST(Container, OfATrimmedLineTakesNoMoreMemoryThanAllowed) {
  const std::string line = "{\"P\":-1,\"bitArray\":\"\",\"rating\":3,\"K\":1,\"m\":2147483647}\n";
  ContainerOptions options;
  options.max_bytes = 1000;
  const auto bank = read_container(bytes_of(line), "f", options);
  ASSERT_FALSE(bank);
  EXPECT_EQ(bank.error().code, ErrorCode::kResource);
  std::string many;
  for (int rating = 0; rating < 100; ++rating) {
    many += "{\"P\":-1,\"bitArray\":\"\",\"rating\":" + std::to_string(rating) +
            ",\"K\":1,\"m\":2147483647}\n";
  }
  const auto bomb = read_container(bytes_of(many), "f");
  ASSERT_FALSE(bomb);
  EXPECT_EQ(bomb.error().code, ErrorCode::kDamaged);
}

TEST(Container, RefusesTwoLinesOfOneRating) {
  const std::string line = "{\"P\":-1,\"bitArray\":\"\",\"rating\":3,\"K\":1,\"m\":10}\n";
  const auto bank = read_container(bytes_of(line + line), "f");
  ASSERT_FALSE(bank);
  EXPECT_EQ(bank.error().message, "f: group \"3\" is there twice");
}

TEST(ContainerFolder, GivesGroupsOfAnyNameBack) {
  const test::TemporaryFolder folder;
  const Filter one = filled(empty_filter(Dialect::kSpark, HashId::kSparkMurmur3, 192, 5), {"a"});
  const Filter two = filled(empty_filter(Dialect::kSpark, HashId::kSparkMurmur3, 256, 5), {"b"});
  const std::string odd("../\xff\n", 5);
  const GroupFilter filters[] = {{odd, &one, 1}, {"x", &two, 1}};
  const std::string path = folder.path("filters");
  const auto files = export_filters(path, filters, false);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_EQ(files->size(), 2U);
  const auto banks = import_filters(path, {});
  ASSERT_TRUE(banks) << banks.error().message;
  ASSERT_EQ(banks->size(), 2U);
  EXPECT_EQ((*banks)[0].entries()[0].group(), odd);
  EXPECT_TRUE((*banks)[0].entries()[0].filter().may_contain("a"));
  EXPECT_EQ((*banks)[1].entries()[0].group(), "x");
  EXPECT_FALSE(export_filters(path, filters, true)) << "a folder is never replaced";
}

TEST(ContainerFolder, HasGroupsOfOneDialect) {
  const test::TemporaryFolder folder;
  const Filter spark = empty_filter(Dialect::kSpark, HashId::kSparkMurmur3, 192, 5);
  const Filter hadoop = empty_filter(Dialect::kHadoop, HashId::kHadoopMurmur, 101, 4);
  const std::vector<GroupFilter> filters{{"a", &spark, 0}, {"b", &hadoop, 0}};
  const auto exported = export_filters(folder.path("filters"), filters, false);
  ASSERT_FALSE(exported);
  EXPECT_EQ(exported.error().code, ErrorCode::kMismatch);
  EXPECT_PRED2(test::contains, exported.error().message,
               "group \"b\": has another dialect than the groups before it; export groups of one "
               "dialect at a time, with --only");
  EXPECT_TRUE(folder.names().empty());
}

TEST(ContainerFolder, RemovesWhatAKilledExportHasLeft) {
  const test::TemporaryFolder folder;
  // No process has this number.
  const std::string left = folder.path(".filters.tmp.2147483647.0123456789abcdef");
  std::filesystem::create_directory(left);
  test::write_file(left + "/000001.bloom", "left behind");
  std::filesystem::last_write_time(
      left, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  const Filter one = empty_filter(Dialect::kSpark, HashId::kSparkMurmur3, 192, 5);
  const GroupFilter filters[] = {{"a", &one, 0}, {"b", &one, 0}};
  ASSERT_TRUE(export_filters(folder.path("filters"), filters, false));
  EXPECT_EQ(folder.names(), std::set<std::string>{"filters"});
}

TEST(ContainerFolder, NeverLeavesTheFolder) {
  const test::TemporaryFolder folder;
  const Filter one = empty_filter(Dialect::kSpark, HashId::kSparkMurmur3, 192, 5);
  const Filter two = Filter::copy_of(one).value();
  const GroupFilter filters[] = {{"a", &one, 0}, {"b", &two, 0}};
  const std::string path = folder.path("filters");
  ASSERT_TRUE(export_filters(path, filters, false));
  std::ofstream(path + "/groups.json")
      << R"({"bloomery_filters": 1, "groups": [{"file": "../secret", "group": "a"}]})";
  const auto banks = import_filters(path, {});
  ASSERT_FALSE(banks);
  EXPECT_NE(banks.error().message.find("a file name that is none"), std::string::npos);
}

}  // namespace
}  // namespace bloomery
