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

void add_group(GroupBytes& to, const GroupBytes& from) {
  to.indexes += from.indexes;
  to.filters += from.filters;
  to.automatic += from.automatic;
  to.entropy_bytes += from.entropy_bytes;
  to.raw_blocks += from.raw_blocks;
  to.gap_blocks += from.gap_blocks;
  to.hash_blocks += from.hash_blocks;
  to.empty_blocks += from.empty_blocks;
}

}  // namespace

std::string_view to_string(Strategy strategy) noexcept {
  return kStrategies.name(strategy);
}

std::optional<Strategy> strategy_from_string(std::string_view name) noexcept {
  return kStrategies.value(name);
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
      add_group(*old, group);
    } else {
      merged.push_back(std::move(group));
    }
  }
  std::move(old, groups.end(), std::back_inserter(merged));
  groups = std::move(merged);
}

}  // namespace bloomery
