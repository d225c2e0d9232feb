#include "parse/tally.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace bloomery {
namespace {

Tally some_tally(std::uint32_t file, std::uint64_t first_offset, std::size_t rejected) {
  Tally tally;
  FileTally& counts = tally.file(file);
  counts.read = rejected + 3;
  counts.used = 2;
  counts.missing = 1;
  for (std::size_t i = 0; i < rejected; ++i) {
    const Reject category = i % 2 == 0 ? Reject::kFieldCount : Reject::kOverLong;
    ++counts.rejected[static_cast<std::size_t>(category)];
    tally.add_sample({file, first_offset + i, category, "text", "reason"});
  }
  return tally;
}

TEST(Tally, MergesToTheSameInAnyOrder) {
  std::vector<Tally> tasks;
  for (std::uint32_t i = 0; i < 12; ++i) tasks.push_back(some_tally(i % 3, 1000 * i, i * 3));
  std::mt19937_64 random(3);
  Tally expected;
  for (const Tally& task : tasks) ASSERT_TRUE(expected.merge(task));
  EXPECT_EQ(expected.samples(Reject::kFieldCount).size(), Tally::kSamples);
  EXPECT_EQ(expected.samples(Reject::kFieldCount)[0].file, 0U);
  for (int round = 0; round < 50; ++round) {
    std::shuffle(tasks.begin(), tasks.end(), random);
    Tally merged;
    for (const Tally& task : tasks) ASSERT_TRUE(merged.merge(task));
    EXPECT_EQ(merged, expected);
  }
}

TEST(Tally, ARecordThatIsNotAccountedForIsFound) {
  Tally good = some_tally(0, 0, 4);
  const Tally before = good;
  Tally bad = some_tally(1, 0, 4);
  ++bad.file(1).read;
  const auto merged = good.merge(bad);
  ASSERT_FALSE(merged);
  EXPECT_NE(merged.error().message.find("input 2: 8 records read"), std::string::npos)
      << merged.error().message;
  EXPECT_EQ(good, before);
}

TEST(Tally, EveryCategoryHasANameOfItsOwn) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kRejectKinds; ++i) names.push_back(to_string(static_cast<Reject>(i)));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_EQ(to_string(Reject::kRepeatedHeader), "repeated_header");
}

}  // namespace
}  // namespace bloomery
