#include "partial/strategy.h"

#include <algorithm>
#include <utility>

#include "base/name_table.h"

namespace bloomery {
namespace {

constexpr NameTable<Strategy, 3> kStrategies{{{
    {Strategy::kIndexes, "indexes"},
    {Strategy::kFilters, "filters"},
    {Strategy::kAuto, "auto"},
}}};

}  // namespace

std::string_view to_string(Strategy strategy) noexcept {
  return kStrategies.name(strategy);
}

std::optional<Strategy> strategy_from_string(std::string_view name) noexcept {
  return kStrategies.value(name);
}

void GroupBytes::add(const GroupBytes& other) noexcept {
  indexes += other.indexes;
  filters += other.filters;
  automatic += other.automatic;
  entropy_bytes += other.entropy_bytes;
  raw_blocks += other.raw_blocks;
  gap_blocks += other.gap_blocks;
  hash_blocks += other.hash_blocks;
  empty_blocks += other.empty_blocks;
}

void ShippedBytes::add(std::uint64_t task_bytes, std::vector<GroupBytes> task_groups) {
  bytes += task_bytes;
  std::ranges::sort(task_groups, {}, &GroupBytes::group);
  std::vector<GroupBytes> merged;
  merged.reserve(std::max(groups.size(), task_groups.size()));
  auto old = groups.begin();
  for (GroupBytes& group : task_groups) {
    while (old != groups.end() && old->group < group.group) merged.push_back(std::move(*old++));
    if (old != groups.end() && old->group == group.group) {
      old->add(group);
    } else {
      merged.push_back(std::move(group));
    }
  }
  std::move(old, groups.end(), std::back_inserter(merged));
  groups = std::move(merged);
}

}  // namespace bloomery
