#include "plan/task_counts.h"

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/error.h"
#include "parse/tally_json.h"

namespace bloomery {

using nlohmann::json;

void TaskCounts::add(std::string_view group, std::uint64_t records,
                     const DistinctCounter& distinct) {
  auto found = groups_.find(group);
  if (found == groups_.end()) found = groups_.emplace(std::string(group), Group{}).first;
  found->second.records += records;
  found->second.distinct.merge(distinct);
}

Result<void> TaskCounts::merge(const TaskCounts& other) {
  if (auto merged = tally_.merge(other.tally_); !merged) return merged;
  for (const auto& [group, counts] : other.groups_) add(group, counts.records, counts.distinct);
  return {};
}

std::vector<GroupCount> TaskCounts::counts(bool by_distinct) const {
  std::vector<GroupCount> list;
  list.reserve(groups_.size());
  for (const auto& [group, counts] : groups_) {
    const std::uint64_t planned = by_distinct ? counts.distinct.estimate() : counts.records;
    list.push_back({group, counts.records, planned});
  }
  return list;
}

std::string TaskCounts::to_json() const {
  json groups = json::array();
  for (const auto& [group, counts] : groups_) {
    groups.push_back({to_base64(group), counts.records, to_base64(counts.distinct.to_bytes())});
  }
  const json object{{"groups", std::move(groups)}, {"tally", tally_to_json(tally_)}};
  return object.dump();
}

Result<TaskCounts> TaskCounts::from_json(std::string_view text) {
  const auto damaged = [](std::string_view what) {
    return make_error(ErrorCode::kDamaged, "the counts of a task: {}", what);
  };
  try {
    const json object = json::parse(text);
    auto tally = tally_from_json(object.at("tally").get<std::string>());
    if (!tally) return tally.error();
    TaskCounts counts;
    counts.tally_ = *std::move(tally);
    for (const json& group : object.at("groups")) {
      const auto name = from_base64(group.at(0).get<std::string>());
      const auto bytes = from_base64(group.at(2).get<std::string>());
      if (!name || !bytes) return damaged("not Base64");
      const auto distinct = DistinctCounter::from_bytes(*bytes);
      if (!distinct) return damaged("no registers");
      counts.add(*name, group.at(1).get<std::uint64_t>(), *distinct);
    }
    return counts;
  } catch (const std::exception& error) {
    return damaged(error.what());
  }
}

}  // namespace bloomery
