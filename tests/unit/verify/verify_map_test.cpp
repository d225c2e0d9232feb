// The proof that the verify job is exact: it equals a count with a set of keys for every group.
#include "verify/verify_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "verify_sample.h"

namespace bloomery {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): the helpers of this folder

std::uint64_t total_false_positives(const Verification& verification) {
  std::uint64_t sum = 0;
  for (const VerifiedGroup& group : verification.groups) sum += group.false_positives;
  return sum;
}

TEST(VerifyJob, EqualsBruteForceWithKeysRepeatedWithinAndAcrossGroups) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto records = mixed_records(5000, seed);
    // Small filters, so that there are many false positives to take for members.
    const VerifyBank bank(records, 500, 0.05);
    const Verification result = verify_all(bank.bank(), records);
    EXPECT_EQ(counts_of(result), count_by_brute_force(bank.bank(), records)) << "seed " << seed;
    EXPECT_TRUE(result.is_exact);
    EXPECT_EQ(result.records, records.size());
    EXPECT_GT(total_false_positives(result), 1000U);
  }
}

TEST(VerifyJob, EqualsBruteForceWhereFalsePositivesAreFew) {
  const auto records = mixed_records(20'000, 4);
  const VerifyBank bank(records, 5000, 0.01);
  const Verification result = verify_all(bank.bank(), records);
  EXPECT_EQ(counts_of(result), count_by_brute_force(bank.bank(), records));
  EXPECT_TRUE(result.is_ok);
  EXPECT_GT(total_false_positives(result), 100U);
}

TEST(VerifyJob, GivesTheSameHoweverRecordsAndCandidatesAreSharedOut) {
  auto records = mixed_records(2000, 5);
  const VerifyBank bank(records, 300, 0.03);
  const JobRun whole = run_tasks(bank.bank(), records, records.size());
  const TrueTable expected = counts_of(verify_in_memory(bank.bank(), whole));
  std::mt19937_64 random(9);
  for (const std::size_t task_size : {1U, 7U, 1023U, 1025U}) {
    std::ranges::shuffle(records, random);
    JobRun run = run_tasks(bank.bank(), records, task_size);
    EXPECT_EQ(run.counts, whole.counts);
    std::ranges::shuffle(run.candidates, random);
    EXPECT_EQ(counts_of(verify_in_memory(bank.bank(), run)), expected) << task_size;
  }
}

TEST(VerifyJob, CountsDeniedRecordsAndStaysExactWithEvidenceOfAllRecords) {
  auto records = mixed_records(3000, 6);
  const VerifyBank bank(records, 400, 0.05);
  // Data that the bank was not built from, sharing keys with data it was built from.
  const auto others = mixed_records(1000, 7);
  records.insert(records.end(), others.begin(), others.end());
  for (std::size_t i = 0; i < 500; ++i) records.push_back({"nothing", records[i].key});
  const TrueTable expected = count_by_brute_force(bank.bank(), records);
  EXPECT_GT(expected.at("nothing").false_negatives, 400U);

  const Verification quick = verify_all(bank.bank(), records);
  EXPECT_FALSE(quick.is_exact);
  EXPECT_FALSE(quick.is_ok);
  for (const auto& [group, counts] : counts_of(quick)) {
    EXPECT_EQ(counts.members, expected.at(group).members);
    EXPECT_EQ(counts.false_negatives, expected.at(group).false_negatives);
    EXPECT_GE(counts.negatives, expected.at(group).negatives);
    EXPECT_GE(counts.false_positives, expected.at(group).false_positives);
  }
  const Verification slow =
      verify_all(bank.bank(), records, {.sample = {}, .evidence = Evidence::kAllRecords});
  EXPECT_TRUE(slow.is_exact);
  EXPECT_EQ(counts_of(slow), expected);
}

TEST(VerifyJob, TakesRecordsOfGroupsOutsideTheBankForNegatives) {
  auto records = mixed_records(3000, 8);
  const VerifyBank bank(records, 400, 0.05);
  for (std::size_t i = 0; i < 700; ++i) {
    records.push_back({"not there", "absent " + std::to_string(i)});
  }
  const TrueTable expected = count_by_brute_force(bank.bank(), records);
  const Verification result = verify_all(bank.bank(), records);
  EXPECT_EQ(counts_of(result), expected);
  EXPECT_EQ(result.outside, (std::map<std::string, std::uint64_t>{{"not there", 700}}));
  // Nobody can know without all records that none of these keys is in a group too.
  EXPECT_FALSE(result.is_exact);

  for (std::size_t i = 0; i < 900; ++i) {
    records.push_back({i % 2 == 0 ? "odd one" : "not there", records[i].key});
  }
  const Verification shared =
      verify_all(bank.bank(), records, {.sample = {}, .evidence = Evidence::kAllRecords});
  EXPECT_TRUE(shared.is_exact);
  EXPECT_EQ(counts_of(shared), count_by_brute_force(bank.bank(), records));
  EXPECT_EQ(shared.outside.at("odd one"), 450U);
  EXPECT_EQ(shared.outside.at("not there"), 1150U);
}

TEST(VerifyJob, EvidenceOfAllRecordsChangesNothingWhereCandidatesAreEnough) {
  const auto records = mixed_records(2000, 9);
  const VerifyBank bank(records, 300, 0.05);
  EXPECT_EQ(counts_of(verify_all(bank.bank(), records)),
            counts_of(verify_all(bank.bank(), records,
                                 {.sample = {}, .evidence = Evidence::kAllRecords})));
}

TEST(VerifyJob, ASampleIsTheSameAsVerifyingItsRecordsAlone) {
  const auto records = mixed_records(20'000, 10);
  const VerifyBank bank(records, 2000, 0.05);
  const KeySample sample = KeySample::create(0.25).value();
  std::vector<Record> chosen;
  for (const Record& record : records) {
    if (sample.takes(key_id(record.key))) chosen.push_back(record);
  }
  EXPECT_NEAR(static_cast<double>(chosen.size()) / static_cast<double>(records.size()), 0.25, 0.02);
  const JobRun run = run_tasks(bank.bank(), records, 777, {.sample = sample, .evidence = {}});
  const Verification sampled = verify_in_memory(bank.bank(), run);
  EXPECT_EQ(sampled.records, chosen.size());
  EXPECT_EQ(counts_of(sampled), count_by_brute_force(bank.bank(), chosen));
}

TEST(VerifyJob, ReadsNoRecords) {
  const VerifyBank bank({}, 10, 0.01);
  const Verification result = verify_all(bank.bank(), std::vector<Record>{});
  EXPECT_EQ(result.records, 0U);
  EXPECT_TRUE(result.is_ok);
}

TEST(VerifyMap, RefusesABankWithoutItsSecret) {
  const auto samples = samples_of_every_kind();
  const AlignedBytes bytes(bytes_of(samples));
  OpenOptions options;
  options.allow_locked = true;
  const Bank bank = Bank::from_bytes(bytes.bytes(), "bank", options).value();
  const BankHashers hashers(bank);
  const auto map = VerifyMap::create(bank, hashers, {});
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(map.error().message.find("sip"), std::string::npos) << map.error().message;
}

TEST(VerifyMap, PassesAnErrorOfTheSinkOn) {
  const auto records = mixed_records(3000, 11);
  const VerifyBank bank(records, 10, 0.5);
  const BankHashers hashers(bank.bank());
  const CandidateSink full = [](std::span<const Candidate>) -> Result<void> {
    return Error{ErrorCode::kResource, "disk full"};
  };
  VerifyMap map = VerifyMap::create(bank.bank(), hashers, full).value();
  map.add_group("classic");
  std::vector<std::string_view> keys;
  for (const Record& record : records) keys.emplace_back(record.key);
  const std::vector<std::uint32_t> groups(keys.size(), 0);
  const auto added = map.add(keys, groups);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().message, "disk full");
}

TEST(VerifyCounts, RefuseToMergeWithThoseOfAnotherBankOrSample) {
  const VerifyBank a({}, 10, 0.01);
  const VerifyBank b({}, 20, 0.01);
  const KeySample half = KeySample::create(0.5).value();
  VerifyCounts counts(a.bank(), Evidence::kCandidates, {});
  EXPECT_FALSE(counts.merge(VerifyCounts(b.bank(), Evidence::kCandidates, {})));
  EXPECT_FALSE(counts.merge(VerifyCounts(a.bank(), Evidence::kAllRecords, {})));
  EXPECT_FALSE(counts.merge(VerifyCounts(a.bank(), Evidence::kCandidates, half)));
  EXPECT_TRUE(counts.merge(VerifyCounts(a.bank(), Evidence::kCandidates, {})));
}

TEST(KeySample, IsPartOfEveryLargerOneAndOfTheRightSize) {
  const KeySample small = KeySample::create(0.01).value();
  const KeySample large = KeySample::create(0.3).value();
  int in_small = 0;
  int in_large = 0;
  for (int i = 0; i < 100'000; ++i) {
    const KeyId id = key_id("key " + std::to_string(i));
    in_small += small.takes(id) ? 1 : 0;
    in_large += large.takes(id) ? 1 : 0;
    EXPECT_TRUE(!small.takes(id) || large.takes(id));
  }
  EXPECT_NEAR(in_small, 1000, 160);
  EXPECT_NEAR(in_large, 30'000, 750);
}

// Format between engines: the same keys are chosen everywhere and for ever.
TEST(KeySample, ChoosesByTheseIdentities) {
  EXPECT_EQ(key_id(""), (KeyId{0x9d7320449b1f0314, 0x07e0a3df3a36f513}));
  EXPECT_EQ(key_id("tt0000001"), (KeyId{0xacede0b04b42bd49, 0x6ae487e92820b79e}));
  EXPECT_EQ(key_id(std::string(300, 'x')), (KeyId{0x79598a9a6b45295a, 0x708f0d6bb829d4d3}));
}

TEST(KeySample, TakesRatesAboveZeroUpToOne) {
  EXPECT_TRUE(KeySample::create(1).value().takes_all());
  EXPECT_FALSE(KeySample::create(1 - 0x1p-53).value().takes_all());
  EXPECT_TRUE(KeySample::create(1e-300).has_value());
  for (const double rate : {0.0, -0.5, 1.5, std::nan("")}) EXPECT_FALSE(KeySample::create(rate));
}

}  // namespace
}  // namespace bloomery
