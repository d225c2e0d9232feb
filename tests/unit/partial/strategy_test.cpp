#include "partial/strategy.h"

#include <gtest/gtest.h>

namespace bloomery {
namespace {

TEST(Strategy, NamesReadBack) {
  for (const auto strategy : {Strategy::kIndexes, Strategy::kFilters, Strategy::kAuto}) {
    EXPECT_EQ(strategy_from_string(to_string(strategy)), strategy);
  }
  EXPECT_EQ(to_string(Strategy::kAuto), "auto");
  EXPECT_EQ(strategy_from_string("automatic"), std::nullopt);
}

GroupBytes weight(std::string group, std::uint64_t bytes) {
  GroupBytes weight{.group = std::move(group)};
  weight.filters = bytes;
  weight.hash_blocks = 1;
  return weight;
}

TEST(ShippedBytes, AddsTasksWithDifferentGroupsAndKeepsThemSorted) {
  ShippedBytes total;
  total.add(10, {weight("m", 1), weight("b", 2)});
  total.add(20, {weight("z", 4), weight("a", 8), weight("m", 16)});
  total.add(30, {});
  EXPECT_EQ(total.bytes, 60U);
  ASSERT_EQ(total.groups.size(), 4U);
  EXPECT_EQ(total.groups[0].group, "a");
  EXPECT_EQ(total.groups[1].group, "b");
  EXPECT_EQ(total.groups[2].group, "m");
  EXPECT_EQ(total.groups[3].group, "z");
  EXPECT_EQ(total.groups[2].filters, 17U);
  EXPECT_EQ(total.groups[2].hash_blocks, 2U);
}

}  // namespace
}  // namespace bloomery
