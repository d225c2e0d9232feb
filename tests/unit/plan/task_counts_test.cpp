#include "plan/task_counts.h"

#include <gtest/gtest.h>

#include <string>

#include "parse/tally_json.h"

namespace bloomery {
namespace {

Tally some_tally(std::uint64_t used) {
  Tally tally;
  tally.file(1).read = used + 3;
  tally.file(1).used = used;
  tally.file(1).missing = 1;
  tally.file(1).header = 1;
  tally.file(1).rejected[static_cast<std::size_t>(Reject::kNulByte)] = 1;
  tally.add_sample({1, 77, Reject::kNulByte, "a\\x00b", "a NUL byte"});
  return tally;
}

TaskCounts some_counts(int first, int last) {
  TaskCounts counts;
  counts.tally() = some_tally(static_cast<std::uint64_t>(last - first));
  DistinctCounter distinct;
  for (int i = first; i < last; ++i) distinct.insert(Hasher()(std::to_string(i)));
  counts.add(std::string("\xff\x00group", 7), static_cast<std::uint64_t>(last - first), distinct);
  return counts;
}

TEST(TaskCounts, ATallyComesBackFromItsTextAsItWas) {
  const Tally tally = some_tally(5);
  const auto back = tally_from_json(tally_to_json(tally));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, tally);
}

TEST(TaskCounts, ATallyThatDoesNotAddUpIsRefused) {
  Tally tally = some_tally(5);
  ++tally.file(0).read;
  EXPECT_FALSE(tally_from_json(tally_to_json(tally)));
  EXPECT_FALSE(tally_from_json("{}"));
  EXPECT_FALSE(tally_from_json("tally"));
}

TEST(TaskCounts, CountsOfTasksMergeInAnyOrderAndThroughText) {
  TaskCounts both = some_counts(0, 5000);
  ASSERT_TRUE(both.merge(some_counts(4000, 9000)));
  const auto second = TaskCounts::from_json(some_counts(4000, 9000).to_json());
  ASSERT_TRUE(second) << second.error().message;
  TaskCounts other = *second;
  ASSERT_TRUE(other.merge(*TaskCounts::from_json(some_counts(0, 5000).to_json())));
  EXPECT_EQ(both.to_json(), other.to_json());
  const auto counts = other.counts(true);
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(counts[0].group, std::string("\xff\x00group", 7));
  EXPECT_EQ(counts[0].records, 10'000U);
  EXPECT_NEAR(static_cast<double>(counts[0].planned), 9000, 400);
  EXPECT_EQ(other.counts(false)[0].planned, 10'000U);
}

TEST(TaskCounts, DamagedTextIsRefused) {
  const std::string text = some_counts(0, 10).to_json();
  EXPECT_FALSE(TaskCounts::from_json(text.substr(0, text.size() / 2)));
  EXPECT_FALSE(TaskCounts::from_json(R"({"groups":[["?",1,""]],"tally":"{}"})"));
}

}  // namespace
}  // namespace bloomery
