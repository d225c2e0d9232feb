// What happens to a filter that moves, and calls that are easily mistaken. What filters answer is
// in tests/laws/.
#include "bloomery/filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "bloomery/sizing.h"

namespace bloomery {
namespace {

Filter with_key(Kind kind, std::string_view key) {
  Filter filter = Filter::create(plan_filter(kind, 100, 0.01).value()).value();
  filter.insert(key);
  return filter;
}

TEST(Filter, TakesItsTableAlongWhenItMoves) {
  for (const Kind kind : {Kind::kClassic, Kind::kBlocked, Kind::kCounting}) {
    Filter from = with_key(kind, "a");
    const auto table = from.table();
    const FilterView view = from;
    const Filter to = std::move(from);
    EXPECT_EQ(to.table().data(), table.data());
    EXPECT_TRUE(to.may_contain("a"));
    EXPECT_TRUE(view.may_contain("a"));
    EXPECT_TRUE(from.table().empty());  // NOLINT(bugprone-use-after-move)
  }
}

// As the loops of the blocked kind want it.
TEST(Filter, HasItsTableOnACacheLine) {
  for (const Kind kind : {Kind::kClassic, Kind::kBlocked, Kind::kCounting}) {
    for (const std::uint64_t keys : {1U, 10U, 1'000U, 100'000U, 2'000'000U}) {
      const Filter filter = Filter::create(plan_filter(kind, keys, 0.01).value()).value();
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(filter.table().data()) % kBlockBytes, 0U) << keys;
      const Filter copy = Filter::copy_of(filter).value();
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy.table().data()) % kBlockBytes, 0U) << keys;
    }
  }
}

TEST(Filter, CanBeAssignedToAfterItMovedAway) {
  Filter filter = with_key(Kind::kBlocked, "a");
  Filter other = with_key(Kind::kClassic, "b");
  const Filter moved = std::move(filter);
  filter = std::move(other);
  EXPECT_EQ(filter.spec().kind, Kind::kClassic);
  EXPECT_TRUE(filter.may_contain("b"));
  EXPECT_TRUE(other.table().empty());  // NOLINT(bugprone-use-after-move)
  filter.insert("c");
  EXPECT_TRUE(filter.may_contain("c"));
  EXPECT_TRUE(moved.may_contain("a"));
}

TEST(Filter, RemovesNothingFromAKindWithoutCounters) {
  for (const Kind kind : {Kind::kClassic, Kind::kBlocked}) {
    Filter filter = with_key(kind, "a");
    const std::uint64_t ones = filter.ones();
    EXPECT_FALSE(filter.remove("a"));
    EXPECT_FALSE(filter.remove(filter.spec().hasher("a")));
    EXPECT_EQ(filter.ones(), ones);
    EXPECT_TRUE(filter.may_contain("a"));
  }
}

TEST(Filter, TakesOneNumberAsABatchDoes) {
  for (const Kind kind : {Kind::kClassic, Kind::kBlocked, Kind::kCounting}) {
    const FilterSpec spec = plan_filter(kind, 100, 0.01).value();
    Filter singly = Filter::create(spec).value();
    singly.insert(7);
    Filter batched = Filter::create(spec).value();
    const std::vector<std::uint64_t> numbers{7};
    batched.insert(numbers);
    EXPECT_TRUE(std::ranges::equal(singly.table(), batched.table())) << to_string(kind);
    EXPECT_TRUE(singly.may_contain(7));
    EXPECT_FALSE(singly.may_contain(0));
    EXPECT_EQ(singly.remove(7), kind == Kind::kCounting);
  }
}

TEST(Filter, TakesAListOfTextsAsSeveralKeys) {
  Filter filter = Filter::create(plan_filter(Kind::kBlocked, 100, 0.01).value()).value();
  filter.insert({"first", "second"});
  EXPECT_TRUE(filter.may_contain("first"));
  EXPECT_TRUE(filter.may_contain("second"));
  EXPECT_EQ(filter.may_contain({"first", "second", "third"}).count(), 2U);
}

TEST(Filter, WantsASeedOfItsOwnForEachHash) {
  FilterSpec spec = plan_filter(Kind::kClassic, 100, 0.01, {}, 3).value();
  spec.seeds = {1, 2, 3};
  EXPECT_TRUE(Filter::create(spec));
  spec.seeds = {1, 2, 1};
  const auto twice = Filter::create(spec);
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("seeds: 1 is given twice"), std::string::npos)
      << twice.error().message;
}

}  // namespace
}  // namespace bloomery
