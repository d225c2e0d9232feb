// What a map task of the plan job found, as text: counts per group, and what became of its records.
//
//   takes   counts and a tally, from a task that is a process of its own
//   gives   the same, merged, where the plan is made
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "parse/tally.h"
#include "plan/distinct.h"
#include "plan/plan.h"

namespace bloomery {

class TaskCounts {
 public:
  struct Group {
    std::uint64_t records = 0;
    DistinctCounter distinct;  // empty unless distinct keys are counted
  };

  void add(std::string_view group, std::uint64_t records, const DistinctCounter& distinct);
  // Adds another task's. Any order gives the same.
  Result<void> merge(const TaskCounts& other);

  [[nodiscard]] Tally& tally() noexcept { return tally_; }
  [[nodiscard]] const Tally& tally() const noexcept { return tally_; }
  // Sorted by group; planned is distinct keys where `by_distinct`, else records.
  [[nodiscard]] std::vector<GroupCount> counts(bool by_distinct) const;

  // One line of JSON, and back.
  [[nodiscard]] std::string to_json() const;
  static Result<TaskCounts> from_json(std::string_view text);

 private:
  std::map<std::string, Group, std::less<>> groups_;
  Tally tally_;
};

}  // namespace bloomery
