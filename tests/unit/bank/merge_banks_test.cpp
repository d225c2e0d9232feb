// Merging banks equals building one from all their keys.
#include <gtest/gtest.h>

#include <algorithm>

#include "bloomery/bank.h"
#include "bloomery/sizing.h"
#include "support/contains.h"
#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

using test::Sample;
using test::TemporaryFolder;

class MergeBanks : public testing::Test {
 protected:
  TemporaryFolder folder_;

  Bank write(const std::string& name, std::span<const Sample> samples,
             const WriteOptions& options = test::sample_texts()) {
    const std::string path = folder_.path(name);
    EXPECT_TRUE(write_bank(path, test::as_filters(samples), options).has_value());
    return Bank::open(path, test::with_secret()).value();
  }

  Result<void> merge(std::vector<const Bank*> banks) {
    return merge_banks(banks, folder_.path("merged.bank"));
  }
};

// Parts of every sample's keys, in groups that some banks do not have.
std::vector<Sample> part_of(std::span<const Sample> samples, std::size_t part, std::size_t parts) {
  std::vector<Sample> mine;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i == part) continue;
    Sample sample = test::make_sample(samples[i].group, samples[i].filter.spec(), 0);
    for (std::size_t k = 0; k < samples[i].keys.size(); ++k) {
      if (k % parts != part && !(i == k % parts && part == (k + 1) % parts)) continue;
      sample.keys.push_back(samples[i].keys[k]);
      sample.filter.insert(samples[i].keys[k]);
    }
    mine.push_back(std::move(sample));
  }
  return mine;
}

TEST_F(MergeBanks, GivesTheBankOfAllKeysInAnyOrder) {
  const auto samples = test::samples_of_every_kind();
  const Bank a = write("a", part_of(samples, 0, 3));
  const Bank b = write("b", part_of(samples, 1, 3));
  const Bank c = write("c", part_of(samples, 2, 3));
  ASSERT_TRUE(merge({&a, &b, &c}).has_value());
  const auto merged = test::read_file(folder_.path("merged.bank"));
  EXPECT_EQ(merged, test::bytes_of(samples, test::sample_texts()));
  ASSERT_TRUE(std::filesystem::remove(folder_.path("merged.bank")));
  ASSERT_TRUE(merge({&c, &a, &b}).has_value());
  EXPECT_EQ(test::read_file(folder_.path("merged.bank")), merged);
}

TEST_F(MergeBanks, MergesTablesOfSeveralPieces) {
  const FilterSpec spec = plan_filter(Kind::kCounting, 500'000, 0.01).value();
  ASSERT_GT(table_bytes(spec.kind, spec.bits), 2U << 20U);
  const std::vector<Sample> whole = [&] {
    std::vector<Sample> one;
    one.push_back(test::make_sample("big", spec, 100'000));
    return one;
  }();
  std::vector<Sample> left;
  std::vector<Sample> right;
  left.push_back(test::make_sample("big", spec, 0));
  right.push_back(test::make_sample("big", spec, 0));
  for (std::size_t i = 0; i < whole[0].keys.size(); ++i) {
    Sample& half = i % 2 == 0 ? left[0] : right[0];
    half.keys.push_back(whole[0].keys[i]);
    half.filter.insert(whole[0].keys[i]);
  }
  const Bank a = write("a", left);
  const Bank b = write("b", right);
  ASSERT_TRUE(merge({&a, &b}).has_value());
  EXPECT_EQ(test::read_file(folder_.path("merged.bank")),
            test::bytes_of(whole, test::sample_texts()));
}

TEST_F(MergeBanks, OfOneCopiesIt) {
  const auto samples = test::samples_of_every_kind();
  const Bank bank = write("a", samples);
  ASSERT_TRUE(merge({&bank}).has_value());
  EXPECT_EQ(test::read_file(folder_.path("merged.bank")), test::read_file(folder_.path("a")));
}

TEST_F(MergeBanks, RefusesABankThatIsNone) {
  const auto merged = merge({nullptr});
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("merged.bank")));
}

TEST_F(MergeBanks, MayReplaceOneOfTheBanks) {
  const auto samples = test::samples_of_every_kind();
  const Bank a = write("a", part_of(samples, 0, 2));
  const Bank b = write("b", part_of(samples, 1, 2));
  WriteOptions options;
  options.overwrite = true;
  const std::vector<const Bank*> banks{&a, &b};
  ASSERT_TRUE(merge_banks(banks, folder_.path("a"), options).has_value());
  EXPECT_EQ(test::read_file(folder_.path("a")), test::bytes_of(samples, test::sample_texts()));
}

TEST_F(MergeBanks, NeedsNoSecret) {
  const auto samples = test::samples_of_every_kind();
  write("a", samples);
  OpenOptions locked;
  locked.allow_locked = true;
  const Bank bank = Bank::open(folder_.path("a"), locked).value();
  ASSERT_TRUE(merge({&bank}).has_value());
  EXPECT_EQ(test::read_file(folder_.path("merged.bank")), test::read_file(folder_.path("a")));
}

TEST_F(MergeBanks, RefusesWhatDoesNotFit) {
  const auto spec = plan_filter(Kind::kClassic, 100, 0.01).value();
  const auto other = plan_filter(Kind::kClassic, 101, 0.01).value();
  std::vector<Sample> one;
  one.push_back(test::make_sample("g", spec, 10));
  std::vector<Sample> two;
  two.push_back(test::make_sample("g", other, 10));
  const Bank bank = write("a", one);
  const Bank other_spec = write("b", two);
  WriteOptions texts = test::sample_texts();
  texts.recipe["key"] = "another column";
  const Bank other_recipe = write("c", one, texts);
  texts = test::sample_texts();
  texts.metadata["title"] = "another title";
  const Bank other_title = write("d", one, texts);

  EXPECT_PRED2(test::contains, merge({&bank, &other_spec}).error().message,
               "group \"g\": bits differ");
  EXPECT_PRED2(test::contains, merge({&bank, &other_recipe}).error().message, "recipes differ");
  EXPECT_PRED2(test::contains, merge({&bank, &other_title}).error().message,
               "\"title\" differs (\"films by rating\" and \"another title\")");
  EXPECT_EQ(merge({&bank, &other_spec}).error().code, ErrorCode::kMismatch);
  EXPECT_FALSE(merge({}).has_value());
  EXPECT_FALSE(std::filesystem::exists(folder_.path("merged.bank")));
}

TEST_F(MergeBanks, AddsMetadataThatOnlyOneHas) {
  const std::vector<Sample> none;
  WriteOptions left = test::sample_texts();
  left.metadata["left"] = "1";
  WriteOptions right = test::sample_texts();
  right.metadata["right"] = "2";
  const Bank a = write("a", none, left);
  const Bank b = write("b", none, right);
  ASSERT_TRUE(merge({&a, &b}).has_value());
  const Bank merged = Bank::open(folder_.path("merged.bank")).value();
  EXPECT_EQ(merged.metadata().at("left"), "1");
  EXPECT_EQ(merged.metadata().at("right"), "2");
}

}  // namespace
}  // namespace bloomery
