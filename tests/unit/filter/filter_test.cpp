// What happens to a filter that moves. What filters answer is in tests/laws/.
#include "bloomery/filter.h"

#include <gtest/gtest.h>

#include <utility>

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

}  // namespace
}  // namespace bloomery
