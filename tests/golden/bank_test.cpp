// Banks that were written once and must be read, and written again to the byte, for ever.
//
// A red test here asks: did you mean to change the format? Then docs/format.md, a new version and
// new files beside these are due; these stay. When bytes differ, the test leaves the new ones in
// its temporary folder and says where.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "bloomery/bank.h"
#include "bloomery/sizing.h"
#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

using test::Sample;

FilterSpec planned(Kind kind, double fpr, const Hasher& hasher = {}) {
  return plan_filter(kind, 100, fpr, hasher).value();
}

FilterSpec fixed(Kind kind, std::uint64_t bits, std::uint32_t hashes) {
  FilterSpec spec;
  spec.kind = kind;
  spec.fpr = 0.125;
  spec.planned_keys = 10;
  spec.bits = bits;
  spec.hashes = hashes;
  return spec;
}

FilterSpec seeded() {
  FilterSpec spec = fixed(Kind::kClassic, 1000, 4);
  spec.seeds = {0, 1, 0x9747b28cU, UINT64_MAX};
  return spec;
}

// A filter of another system's, of the sizes its vectors have.
FilterSpec foreign(Dialect dialect, HashId hash, std::uint64_t bits, std::uint64_t seed = 0) {
  FilterSpec spec = fixed(Kind::kClassic, bits, 5);
  spec.dialect = dialect;
  spec.hasher = Hasher::create(hash, seed).value();
  return spec;
}

struct Golden {
  std::string name;
  std::vector<Sample> (*make)();
};

std::vector<Sample> one(std::string group, FilterSpec spec, std::size_t keys = 100) {
  std::vector<Sample> samples;
  samples.push_back(test::make_sample(std::move(group), std::move(spec), keys));
  return samples;
}

std::vector<Sample> example() {
  auto samples = one("7", fixed(Kind::kClassic, 100, 3), 2);
  samples.push_back(test::make_sample("8", fixed(Kind::kBlocked, 512, 8), 1));
  return samples;
}

const Golden kGolden[] = {
    {"classic", [] { return one("g", planned(Kind::kClassic, 0.01)); }},
    {"classic-seeds", [] { return one("g", seeded()); }},
    {"classic-murmur3",
     [] {
       return one("g", planned(Kind::kClassic, 0.01, Hasher::create(HashId::kMurmur3, 7).value()));
     }},
    {"blocked-8", [] { return one("g", planned(Kind::kBlocked, 0.01)); }},
    {"blocked-16", [] { return one("g", planned(Kind::kBlocked, 1e-5)); }},
    {"blocked-sip",
     [] {
       return one("g", planned(Kind::kBlocked, 0.01, Hasher::with_secret(test::sample_secret())));
     }},
    {"counting", [] { return one("g", planned(Kind::kCounting, 0.01)); }},
    {"every-kind", test::samples_of_every_kind},
    {"hadoop", [] { return one("1", foreign(Dialect::kHadoop, HashId::kHadoopMurmur, 1001)); }},
    {"hadoop-jenkins",
     [] { return one("1", foreign(Dialect::kHadoop, HashId::kHadoopJenkins, 1001)); }},
    {"pisa-java",
     [] { return one("1", foreign(Dialect::kPisaJava, HashId::kHadoopMurmur, 1001)); }},
    {"pisa-python",
     [] { return one("1", foreign(Dialect::kPisaPython, HashId::kMurmur3x32, 1001)); }},
    {"spark", [] { return one("1", foreign(Dialect::kSpark, HashId::kSparkMurmur3, 1024, 7)); }},
    {"spark-v1", [] { return one("1", foreign(Dialect::kSparkV1, HashId::kSparkMurmur3, 1024)); }},
    {"example", example},
};

std::string golden_path(const std::string& name) {
  return std::string(BLOOMERY_GOLDEN_BANKS) + "/" + name + ".bank";
}

void expect_same(const std::vector<std::byte>& made, const Golden& golden) {
  if (std::filesystem::exists(golden_path(golden.name)) &&
      made == test::read_file(golden_path(golden.name))) {
    return;
  }
  const std::string left = testing::TempDir() + golden.name + ".bank";
  test::write_file(left, made);
  ADD_FAILURE() << "the bytes are not those of " << golden_path(golden.name)
                << "; what was made now is in " << left;
}

class GoldenBank : public testing::TestWithParam<Golden> {};

TEST_P(GoldenBank, IsWhatTheSameKeysGiveToday) {
  expect_same(test::bytes_of(GetParam().make(), test::sample_texts()), GetParam());
}

TEST_P(GoldenBank, FindsItsKeys) {
  const Bank bank = Bank::open(golden_path(GetParam().name), test::with_secret()).value();
  const auto samples = GetParam().make();
  ASSERT_EQ(bank.entries().size(), samples.size());
  for (const Sample& sample : samples) {
    for (const std::string& key : sample.keys) {
      EXPECT_TRUE(bank.find(sample.group)->filter().may_contain(key)) << key;
    }
  }
}

TEST_P(GoldenBank, IsTheSameWhenWrittenAgain) {
  const Bank bank = Bank::open(golden_path(GetParam().name), test::with_secret()).value();
  std::vector<GroupFilter> filters;
  for (const BankEntry& entry : bank.entries()) {
    filters.push_back({entry.group(), &entry.filter(), entry.count()});
  }
  WriteOptions options;
  options.recipe = bank.recipe();
  options.metadata = bank.metadata();
  expect_same(bank_bytes(filters, options).value(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Banks, GoldenBank, testing::ValuesIn(kGolden), [](const auto& each) {
  std::string name = each.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

// The lines of the dump: offset, two spaces, bytes, and then words for people.
TEST(FormatDocument, DumpsTheGoldenExample) {
  std::ifstream document(BLOOMERY_FORMAT_DOCUMENT);
  ASSERT_TRUE(document) << BLOOMERY_FORMAT_DOCUMENT;
  const std::regex line_of_dump("([0-9a-f]{8})  ([0-9a-f]{2}(?: [0-9a-f]{2})*)(?:  .*)?");
  std::vector<std::byte> dumped;
  for (std::string line; std::getline(document, line);) {
    std::smatch parts;
    if (!std::regex_match(line, parts, line_of_dump)) continue;
    ASSERT_EQ(std::stoul(parts[1], nullptr, 16), dumped.size()) << line;
    const std::string hex = parts[2];
    for (std::size_t i = 0; i < hex.size(); i += 3) {
      dumped.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    }
  }
  EXPECT_EQ(dumped, test::read_file(golden_path("example")));
}

}  // namespace
}  // namespace bloomery
