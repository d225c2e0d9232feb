// What a writer takes and refuses, and what it leaves behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "bloomery/bank.h"
#include "bloomery/sizing.h"
#include "support/contains.h"
#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

using test::Sample;
using test::TemporaryFolder;

class BankWriterTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_.path("a.bank");
  FilterSpec spec_ = plan_filter(Kind::kClassic, 100, 0.01).value();
  Sample sample_ = test::make_sample("g", spec_, 100);

  Result<BankWriter> create(std::vector<BankWriter::Entry> entries, WriteOptions options = {}) {
    return BankWriter::create(path_, std::move(entries), std::move(options));
  }
};

TEST_F(BankWriterTest, TakesPiecesInAnyOrderFromSeveralThreads) {
  const Sample big =
      test::make_sample("big", plan_filter(Kind::kBlocked, 200'000, 0.01).value(), 200'000);
  auto writer = create({{"big", big.filter.spec(), 0}}).value();
  const auto table = big.filter.table();
  std::vector<std::jthread> threads;
  for (std::size_t part = 0; part < 4; ++part) {
    threads.emplace_back([&, part] {
      for (std::size_t at = (3 - part) * 1000; at < table.size(); at += 4000) {
        const auto size = std::min<std::size_t>(1000, table.size() - at);
        EXPECT_TRUE(writer.write("big", at, table.subspan(at, size)).has_value());
      }
    });
  }
  threads.clear();
  ASSERT_TRUE(writer.set_count("big", 200'000).has_value());
  ASSERT_TRUE(writer.commit().has_value());
  EXPECT_EQ(test::read_file(path_), test::bytes_of(std::span(&big, 1)));
  EXPECT_EQ(writer.file_size(), std::filesystem::file_size(path_));
}

TEST_F(BankWriterTest, ShowsNothingBeforeCommit) {
  auto writer = create({{"g", spec_, 100}}).value();
  ASSERT_TRUE(writer.write("g", 0, sample_.filter.table()).has_value());
  EXPECT_FALSE(std::filesystem::exists(path_));
  ASSERT_TRUE(writer.commit().has_value());
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"a.bank"}));
}

TEST_F(BankWriterTest, LeavesNothingWithoutCommit) {
  { const auto writer = create({{"g", spec_, 0}}).value(); }
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(BankWriterTest, CommitsOnce) {
  auto writer = create({{"g", spec_, 0}}).value();
  ASSERT_TRUE(writer.commit().has_value());
  const auto again = writer.commit();
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, ErrorCode::kInvalidArgument);
  EXPECT_PRED2(test::contains, again.error().message, "a.bank: its writer was committed before");
  EXPECT_FALSE(writer.write("g", 0, sample_.filter.table()).has_value());
  EXPECT_TRUE(Bank::open(path_).has_value());
}

TEST_F(BankWriterTest, DoesNotOverwriteUnlessAsked) {
  test::write_file(path_, "precious");
  const auto refused = write_bank(path_, test::as_filters(std::span(&sample_, 1)));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kExists);
  EXPECT_EQ(test::read_file(path_).size(), 8U);
  WriteOptions options;
  options.overwrite = true;
  ASSERT_TRUE(write_bank(path_, test::as_filters(std::span(&sample_, 1)), options).has_value());
  EXPECT_TRUE(Bank::open(path_).has_value());
}

TEST_F(BankWriterTest, RefusesWhatCannotBeAnEntry) {
  FilterSpec invalid = spec_;
  invalid.hashes = 0;
  const std::string long_group(65536, 'x');
  const std::vector<std::pair<std::vector<BankWriter::Entry>, std::string>> cases{
      {{{"", spec_, 0}}, "0 bytes"},
      {{{long_group, spec_, 0}}, "65536 bytes"},
      {{{"a", spec_, 0}, {"b", spec_, 0}, {"a", spec_, 0}}, "\"a\": is there twice"},
      {{{"a", invalid, 0}}, "hashes"},
  };
  for (const auto& [entries, text] : cases) {
    const auto writer = create(entries);
    ASSERT_FALSE(writer) << text;
    EXPECT_EQ(writer.error().code, ErrorCode::kInvalidArgument);
    EXPECT_PRED2(test::contains, writer.error().message, text);
  }
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(BankWriterTest, TakesTheLongestGroup) {
  const std::string group(65535, '\xff');
  ASSERT_TRUE(create({{group, spec_, 0}}).value().commit().has_value());
  const Bank bank = Bank::open(path_).value();
  EXPECT_NE(bank.find(group), nullptr);
}

TEST_F(BankWriterTest, RefusesBytesOutsideTheTable) {
  auto writer = create({{"g", spec_, 0}}).value();
  const auto table = sample_.filter.table();
  EXPECT_EQ(writer.write("h", 0, table).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(writer.write("g", 1, table).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(writer.write("g", UINT64_MAX, table).error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(writer.write("g", table.size(), {}).has_value());
  EXPECT_EQ(writer.set_count("h", 1).error().code, ErrorCode::kNotFound);
}

// A bank that is written can be opened: what a reader would refuse, the writer does.
TEST_F(BankWriterTest, RefusesCountsThatDoNotFitTheTable) {
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}}) {
    auto writer = create({{"g", spec_, count}}).value();
    ASSERT_TRUE(writer.write("g", 0, sample_.filter.table()).has_value());
    const auto committed = writer.commit();
    ASSERT_FALSE(committed);
    EXPECT_EQ(committed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_PRED2(test::contains, committed.error().message, "group \"g\"");
  }
  auto writer = create({{"g", spec_, 5}}).value();
  EXPECT_PRED2(test::contains, writer.commit().error().message, "5 keys, but no bit");
}

TEST_F(BankWriterTest, RefusesBitsPastTheEndOfATable) {
  ASSERT_NE(spec_.bits % 64, 0U);
  auto writer = create({{"g", spec_, 100}}).value();
  std::vector<std::byte> table(sample_.filter.table().begin(), sample_.filter.table().end());
  table.back() |= std::byte{0x80};
  ASSERT_TRUE(writer.write("g", 0, table).has_value());
  EXPECT_PRED2(test::contains, writer.commit().error().message, "past the end");
}

TEST_F(BankWriterTest, RefusesBytesThatWereWrittenTwice) {
  auto writer = create({{"g", spec_, 100}}).value();
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(writer.write("g", 0, sample_.filter.table()).has_value());
  }
  const auto committed = writer.commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, ErrorCode::kIo);
  EXPECT_PRED2(test::contains, committed.error().message, "group \"g\"");
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(BankWriterTest, RefusesTextsThatCannotBeStored) {
  WriteOptions options;
  options.metadata[""] = "x";
  EXPECT_EQ(create({}, options).error().code, ErrorCode::kInvalidArgument);
  options.metadata.clear();
  options.recipe[std::string(65536, 'n')] = "x";
  EXPECT_EQ(create({}, options).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(BankWriterTest, SaysWhichFilterIsMissing) {
  const GroupFilter none{"g", nullptr, 0};
  EXPECT_PRED2(test::contains, write_bank(path_, std::span(&none, 1)).error().message, "\"g\"");
  EXPECT_FALSE(bank_bytes(std::span(&none, 1)).has_value());
}

TEST_F(BankWriterTest, SaysAtOnceWhenThereIsNoRoom) {
  FilterSpec huge = spec_;
  huge.bits = kMaxBits;
  const auto writer = create({{"g", huge, 0}});
  ASSERT_FALSE(writer) << "8 TiB of disk space";
  EXPECT_EQ(writer.error().code, ErrorCode::kResource);
  EXPECT_PRED2(test::contains, writer.error().message, "bytes of disk space");
  EXPECT_TRUE(folder_.names().empty());
}

}  // namespace
}  // namespace bloomery
