#include "verify/conclude.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bloomery/sizing.h"
#include "verify/interval.h"
#include "verify_sample.h"

namespace bloomery {
namespace {

using test::AlignedBytes;
using test::make_sample;
using test::Sample;

// A bank of one group of 1000 keys at 1 %, and counts to change.
class ConcludeTest : public ::testing::Test {
 protected:
  explicit ConcludeTest(std::uint64_t inserted = 1000)
      : bytes_(bank_of(inserted)), bank_(Bank::from_bytes(bytes_.bytes(), "bank").value()) {
    counts_.records = 1'001'000;
    counts_.groups[0].members = 1000;
  }

  static std::vector<std::byte> bank_of(std::uint64_t inserted) {
    std::vector<Sample> samples;
    samples.push_back(
        make_sample("all", plan_filter(Kind::kClassic, 1000, 0.01).value(), inserted));
    return test::bytes_of(samples);
  }

  VerifiedGroup judge(std::uint64_t false_positives) {
    counts_.groups[0].hits = false_positives;
    settled_[0].false_positives = false_positives;
    if (settled_[0].square_sum == 0) settled_[0].square_sum = false_positives;
    return conclude(bank_, counts_, settled_).value().groups[0];
  }

  AlignedBytes bytes_;
  Bank bank_;
  VerifyCounts counts_{bank_, Evidence::kCandidates, {}};
  SettledGroups settled_{1};
};

TEST_F(ConcludeTest, GivesRateIntervalTargetAndPrediction) {
  const VerifiedGroup group = judge(10'042);
  EXPECT_EQ(group.group, "all");
  EXPECT_EQ(group.negatives, 1'000'000U);
  EXPECT_DOUBLE_EQ(group.rate, 0.010042);
  EXPECT_DOUBLE_EQ(group.low, wilson_interval(10'042, 1e6).low);
  EXPECT_DOUBLE_EQ(group.high, wilson_interval(10'042, 1e6).high);
  EXPECT_EQ(group.target, 0.01);
  const FilterSpec& spec = bank_.entries()[0].filter().spec();
  EXPECT_EQ(group.predicted, predicted_fpr(Kind::kClassic, 1000, spec.bits, spec.hashes));
  EXPECT_EQ(group.needed_negatives, trials_to_show(0.01, 0.05));
  EXPECT_TRUE(group.is_ok);
}

TEST_F(ConcludeTest, FailsOnlyWhenTheLowerEndIsAboveThePromise) {
  const double promise =
      1.02 * std::max({0.01, judge(0).predicted, bank_.entries()[0].filter().achieved_fpr()});
  std::uint64_t highest = 10'000;
  while (wilson_interval(static_cast<double>(highest + 1), 1e6).low <= promise) ++highest;
  settled_[0].square_sum = 0;
  EXPECT_TRUE(judge(highest).is_ok);
  settled_[0].square_sum = 0;
  EXPECT_FALSE(judge(highest + 1).is_ok);
  EXPECT_FALSE(conclude(bank_, counts_, settled_)->is_ok);
}

// Banks of 200 small filters that are as they should be.
TEST(ConcludeManyTest, FailsNoGroupByChance) {
  constexpr std::size_t kGroups = 200;
  for (const Kind kind : {Kind::kClassic, Kind::kBlocked}) {
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < kGroups; ++i) {
      const Hasher hasher = Hasher::create(HashId::kXxh3, i).value();
      samples.push_back(
          make_sample(fmt::format("{:03}", i), plan_filter(kind, 300, 0.01, hasher).value(), 300));
    }
    const AlignedBytes bytes(test::bytes_of(samples));
    const Bank bank = Bank::from_bytes(bytes.bytes(), "bank").value();
    VerifyCounts counts(bank, Evidence::kCandidates, {});
    counts.records = 200'300;
    SettledGroups settled(kGroups);
    std::size_t above = 0;
    for (std::size_t i = 0; i < kGroups; ++i) {
      const FilterView& filter = bank.entries()[i].filter();
      std::uint64_t found = 0;
      for (std::uint64_t key = 0; key < 200'000; ++key) {
        found += filter.may_contain(filter.spec().hasher(~key)) ? 1U : 0U;
      }
      counts.groups[i] = {300, 0, found};
      settled[i].false_positives = settled[i].square_sum = found;
      above += wilson_interval(static_cast<double>(found), 2e5).low > 0.0102 ? 1U : 0U;
    }
    EXPECT_GT(above, kGroups / 40);  // looked at one by one, many are above their target
    EXPECT_TRUE(conclude(bank, counts, settled)->is_ok);
    // One that is really too high is still found.
    counts.groups[7].hits = settled[7].false_positives = settled[7].square_sum = 8'000;
    const Verification verification = conclude(bank, counts, settled).value();
    EXPECT_FALSE(verification.groups[7].is_ok);
    EXPECT_FALSE(verification.is_ok);
  }
}

// 0.2 are expected of 20 questions: two come once in 57 times, and once in six banks of ten groups.
TEST(ConcludeManyTest, FailsNoGroupForTwoAccidents) {
  constexpr std::size_t kGroups = 10;
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < kGroups; ++i) {
    samples.push_back(
        make_sample(fmt::format("{}", i), plan_filter(Kind::kClassic, 300, 0.01).value(), 300));
  }
  const AlignedBytes bytes(test::bytes_of(samples));
  const Bank bank = Bank::from_bytes(bytes.bytes(), "bank").value();
  VerifyCounts counts(bank, Evidence::kCandidates, {});
  counts.records = 320;
  SettledGroups settled(kGroups);
  for (GroupTally& tally : counts.groups) tally.members = 300;
  counts.groups[0].hits = settled[0].false_positives = settled[0].square_sum = 2;
  EXPECT_TRUE(conclude(bank, counts, settled)->is_ok);
  counts.groups[0].hits = settled[0].false_positives = settled[0].square_sum = 8;
  EXPECT_FALSE(conclude(bank, counts, settled)->is_ok);
}

TEST_F(ConcludeTest, FailsForASingleFalseNegative) {
  counts_.groups[0].denied = 1;
  const VerifiedGroup group = judge(0);
  EXPECT_FALSE(group.is_ok);
  EXPECT_EQ(group.false_negatives, 1U);
}

TEST_F(ConcludeTest, DoesNotFailAFilterForOneFrequentKey) {
  // 20,000 records of one key that was admitted by accident are one accident.
  settled_[0].square_sum = 20'000ULL * 20'000ULL;
  const VerifiedGroup group = judge(20'000);
  EXPECT_DOUBLE_EQ(group.rate, 0.02);
  EXPECT_DOUBLE_EQ(group.low, wilson_interval(1, 50).low);
  EXPECT_TRUE(group.is_ok);
  settled_[0].square_sum = 20'000;
  EXPECT_FALSE(judge(20'000).is_ok);
}

TEST_F(ConcludeTest, RefusesCandidatesThatWereLostOrCameTwice) {
  counts_.groups[0].hits = 10;
  settled_[0].false_positives = 9;
  EXPECT_EQ(conclude(bank_, counts_, settled_).error().code, ErrorCode::kMismatch);
  settled_[0].true_hits = 2;
  settled_[0].shared = 2;
  EXPECT_EQ(conclude(bank_, counts_, settled_).error().code, ErrorCode::kMismatch);
  settled_[0].true_hits = 1;
  settled_[0].shared = 1;
  EXPECT_TRUE(conclude(bank_, counts_, settled_));
  settled_[0].shared = 2'000'000;
  EXPECT_EQ(conclude(bank_, counts_, settled_).error().code, ErrorCode::kMismatch);
}

TEST_F(ConcludeTest, FailsNoGroupForStrangersThatMayBeItsKeys) {
  counts_.outside_hits = 20'000;
  EXPECT_TRUE(judge(29'000).is_ok);
  EXPECT_FALSE(conclude(bank_, counts_, settled_)->is_exact);
  settled_[0].square_sum = 0;
  EXPECT_FALSE(judge(35'000).is_ok);
  counts_.evidence = Evidence::kAllRecords;  // now it is known that they are not
  settled_[0].square_sum = 0;
  EXPECT_FALSE(judge(29'000).is_ok);
}

TEST_F(ConcludeTest, KnowsNothingWithoutNegatives) {
  counts_.records = 1000;
  const VerifiedGroup group = judge(0);
  EXPECT_EQ(group.negatives, 0U);
  EXPECT_EQ(group.rate, 0);
  EXPECT_EQ(group.low, 0);
  EXPECT_EQ(group.high, 1);
  EXPECT_TRUE(group.is_ok);
}

class OverfullConcludeTest : public ConcludeTest {
 protected:
  OverfullConcludeTest() : ConcludeTest(3000) {}
};

TEST_F(OverfullConcludeTest, PredictsForTheKeysThatAreInNotForThosePlanned) {
  const FilterSpec& spec = bank_.entries()[0].filter().spec();
  const VerifiedGroup group = judge(200'000);
  EXPECT_EQ(group.predicted, predicted_fpr(Kind::kClassic, 3000, spec.bits, spec.hashes));
  EXPECT_GT(group.predicted, 0.2);
  EXPECT_TRUE(group.is_ok);
}

// The same 100 keys thirty times.
TEST(Conclude, PredictsForDistinctKeysWhereTheyRepeat) {
  std::vector<Sample> samples;
  samples.push_back(make_sample("all", plan_filter(Kind::kBlocked, 1000, 0.01).value(), 100));
  samples[0].keys.resize(3000);
  const AlignedBytes bytes(test::bytes_of(samples));
  const Bank bank = Bank::from_bytes(bytes.bytes(), "bank").value();
  ASSERT_EQ(bank.entries()[0].count(), 3000U);
  const FilterSpec& spec = bank.entries()[0].filter().spec();
  const auto result = conclude(bank, VerifyCounts(bank, {}, {}), SettledGroups(1));
  ASSERT_TRUE(result);
  EXPECT_LT(result->groups[0].predicted,
            predicted_fpr(Kind::kBlocked, 110, spec.bits, spec.hashes));
  EXPECT_GT(result->groups[0].predicted, predicted_fpr(Kind::kBlocked, 90, spec.bits, spec.hashes));
}

TEST(Conclude, RefusesCountsOfAnotherBank) {
  const test::VerifyBank a({}, 10, 0.01);
  const test::VerifyBank b({}, 20, 0.01);
  const VerifyCounts counts(a.bank(), {}, {});
  EXPECT_FALSE(conclude(b.bank(), counts, SettledGroups(counts.groups.size())));
  EXPECT_FALSE(conclude(a.bank(), counts, SettledGroups(1)));
}

}  // namespace
}  // namespace bloomery
