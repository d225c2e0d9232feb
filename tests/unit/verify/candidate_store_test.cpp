#include "verify/candidate_store.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/scratch_file.h"
#include "support/temporary_folder.h"
#include "verify_sample.h"

namespace bloomery {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): the helpers of this folder

SettledGroups settled_in_memory(std::vector<Candidate> candidates, std::size_t groups) {
  compact(candidates);
  SettledGroups settled(groups);
  settle(candidates, settled);
  return settled;
}

class CandidateStoreTest : public ::testing::Test {
 protected:
  std::vector<Record> records_ = mixed_records(4000, 20);
  VerifyBank bank_{records_, 100, 0.3};
  JobRun run_ = run_tasks(bank_.bank(), records_, 1000);
  std::size_t groups_ = bank_.bank().entries().size();
  TemporaryFolder folder_;
};

TEST_F(CandidateStoreTest, SettlesTheSameFromMemoryAndFromItsFile) {
  const SettledGroups expected = settled_in_memory(run_.candidates, groups_);
  ASSERT_GT(run_.candidates.size(), 10'000U);
  for (const std::uint64_t memory : {std::uint64_t{1}, std::uint64_t{100'000}, UINT64_MAX}) {
    CandidateStore store(memory, folder_.path());
    for (const Candidate& candidate : run_.candidates) {
      if (memory == 1 && &candidate - run_.candidates.data() > 1000) break;
      ASSERT_TRUE(store.add(std::span(&candidate, 1)));
    }
    if (memory == 1) {
      const auto rest = std::span(run_.candidates).subspan(1001);
      ASSERT_TRUE(store.add(rest));
    }
    EXPECT_EQ(store.spilled_bytes() > 0, memory != UINT64_MAX);
    EXPECT_TRUE(folder_.names().empty());
    const auto settled = store.settle_all(groups_, 2);
    ASSERT_TRUE(settled);
    EXPECT_EQ(*settled, expected) << memory;
    EXPECT_EQ(store.settle_all(groups_, 1).value(), SettledGroups(groups_));
  }
}

TEST_F(CandidateStoreTest, TakesCandidatesFromManyThreads) {
  CandidateStore store(50'000, folder_.path());
  {
    std::vector<std::jthread> tasks;
    for (std::size_t t = 0; t < 4; ++t) {
      tasks.emplace_back([&, t] {
        const std::size_t size = run_.candidates.size();
        const auto own =
            std::span(run_.candidates).subspan(size * t / 4, size * (t + 1) / 4 - size * t / 4);
        for (std::size_t at = 0; at < own.size(); at += 100) {
          ASSERT_TRUE(store.add(own.subspan(at, std::min<std::size_t>(100, own.size() - at))));
        }
      });
    }
  }
  EXPECT_EQ(store.settle_all(groups_, 3).value(), settled_in_memory(run_.candidates, groups_));
}

TEST_F(CandidateStoreTest, AddsUpAKeyThatRepeatsInsteadOfSpillingIt) {
  CandidateStore store(64 * 1024, folder_.path());
  const std::vector<Candidate> same(1000, Candidate{key_id("again"), 0, 1, 1});
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(store.add(same));
  EXPECT_EQ(store.spilled_bytes(), 0U);
  const SettledGroups settled = store.settle_all(2, 1).value();
  EXPECT_EQ(settled[1].false_positives, 1'000'000U);
  EXPECT_EQ(settled[1].square_sum, 1'000'000'000'000U);
}

TEST_F(CandidateStoreTest, SaysWhereItCannotSpill) {
  CandidateStore store(1, folder_.path("no such folder"));
  const std::vector<Candidate> two{{key_id("a"), 0, 1, 1}, {key_id("b"), 0, 1, 1}};
  const auto added = store.add(two);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::kNotFound);
  EXPECT_NE(added.error().message.find("no such folder"), std::string::npos);
}

TEST(Settle, StopsTheSumOfSquaresAtItsLargestValue) {
  const std::vector<Candidate> candidates{{key_id("a"), 0, 1, std::uint64_t{1} << 33U}};
  SettledGroups groups(2);
  settle(candidates, groups);
  settle(candidates, groups);
  EXPECT_EQ(groups[1].square_sum, UINT64_MAX);
  EXPECT_EQ(groups[1].false_positives, std::uint64_t{1} << 34U);
}

TEST(Settle, AddsOverAnyWayToShareKeysOut) {
  const auto records = mixed_records(1000, 21);
  const VerifyBank bank(records, 100, 0.1);
  std::vector<Candidate> candidates = run_tasks(bank.bank(), records, 500).candidates;
  compact(candidates);
  const std::size_t groups = bank.bank().entries().size();
  const SettledGroups expected = settled_in_memory(candidates, groups);
  std::vector<std::vector<Candidate>> reducers(7);
  for (const Candidate& candidate : candidates)
    reducers[candidate.key.low % 7].push_back(candidate);
  SettledGroups sum(groups);
  for (const auto& reducer : reducers) merge(sum, settled_in_memory(reducer, groups));
  EXPECT_EQ(sum, expected);
}

TEST(ScratchFile, HasNoNameAndKeepsWhatIsWritten) {
  const TemporaryFolder folder;
  const auto file = open_scratch_file(folder.path());
  ASSERT_TRUE(file);
  EXPECT_TRUE(folder.names().empty());
  const std::string text = "kept";
  ASSERT_TRUE(write_at(*file, 100, std::as_bytes(std::span(text)), folder.path()));
  std::string read(4, ' ');
  ASSERT_TRUE(read_at(*file, 100, std::as_writable_bytes(std::span(read)), folder.path()));
  EXPECT_EQ(read, text);
}

}  // namespace
}  // namespace bloomery
