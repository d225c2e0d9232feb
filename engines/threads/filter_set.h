// The filters of a bank that is being built, and the ways to fill them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/filter.h"
#include "engines/threads/collect.h"
#include "engines/threads/run_tasks.h"
#include "plan/plan.h"

namespace bloomery {

class FilterSet {
 public:
  // Fails when the tables do not fit `memory` bytes together, or groups differ in their hashes.
  static Result<FilterSet> create(std::vector<GroupPlan> plan, std::uint64_t memory);

  [[nodiscard]] std::size_t size() const noexcept { return filters_.size(); }
  [[nodiscard]] const GroupPlan& plan(std::size_t i) const { return plan_[i]; }
  [[nodiscard]] Filter& filter(std::size_t i) { return filters_[i]; }
  [[nodiscard]] std::uint64_t& count(std::size_t i) { return counts_[i]; }
  // Fails, naming the group, for one that is not in the plan.
  [[nodiscard]] Result<std::size_t> index_of(std::string_view group) const;

  // Takes a filter that was filled elsewhere.
  void adopt(std::size_t i, Filter filter, std::uint64_t count) {
    filters_[i] = std::move(filter);
    counts_[i] = count;
  }
  // All hashes that a first pass collected, where the plan is of its counts.
  void fill_from(std::span<const std::vector<CollectedGroup>> tasks, unsigned threads);
  // The same, and what was spilled; of the hashes in memory nothing is left.
  Result<void> fill_from_spill(Collector& collector, unsigned threads);
  // Work for a pass that inserts as it reads; a task holds up to `task_memory` bytes of hashes.
  MakeWork fill_work(std::uint64_t task_memory);

 private:
  class Work;
  explicit FilterSet(std::vector<GroupPlan> plan);

  std::vector<GroupPlan> plan_;
  std::vector<Filter> filters_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::unique_ptr<std::mutex>> mutexes_;  // of each filter and its count
};

}  // namespace bloomery
