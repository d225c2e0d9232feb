#include "engines/threads/partials.h"

#include <fmt/core.h>

#include <mutex>

#include "base/parallel.h"
#include "merge/partial_merger.h"
#include "partial/encode.h"

namespace bloomery {
namespace {

// One task's partial, from its hashes to the merger.
Result<PartialFacts> ship(const FilterSet& filters, const std::vector<CollectedGroup>& task,
                          const EncodeOptions& options, PartialMerger& merger) {
  std::vector<std::vector<std::span<const KeyHash>>> pieces(task.size());
  std::vector<GroupKeys> groups;
  for (std::size_t i = 0; i < task.size(); ++i) {
    if (task[i].records == 0) continue;
    task[i].hashes.append_to(pieces[i]);
    const GroupPlan& plan = filters.plan(filters.index_of(task[i].group).value());
    GroupKeys keys;
    keys.group = plan.group;
    keys.spec = &plan.spec;
    keys.hashes = pieces[i];
    keys.count = task[i].records;
    groups.push_back(keys);
  }
  const std::string name = fmt::format("task {}", options.task);
  return encode_partial(options, groups,
                        [&](std::span<const std::byte> frame) { return merger.add(frame, name); });
}

}  // namespace

Result<ShippedBytes> fill_through_partials(FilterSet& filters,
                                           std::span<const std::vector<CollectedGroup>> tasks,
                                           Strategy strategy, unsigned threads) {
  std::vector<MergeGroup> groups;
  ShippedBytes shipped;
  shipped.strategy = strategy;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    groups.push_back({filters.plan(i).group, filters.plan(i).spec});
  }
  auto merger = PartialMerger::create(std::move(groups));
  if (!merger) return merger.error();
  std::mutex mutex;
  std::optional<Error> failure;
  parallel_for(threads, tasks.size(), [&](std::size_t i) {
    EncodeOptions options;
    options.strategy = strategy;
    options.weigh_all = true;
    options.task = static_cast<std::uint32_t>(i);
    const auto facts = ship(filters, tasks[i], options, *merger);
    const std::scoped_lock lock(mutex);
    if (!facts) {
      failure = facts.error();
      return;
    }
    shipped.add(facts->bytes, facts->groups);
  });
  if (failure) return *failure;
  auto merged = merger->finish(tasks.size());
  if (!merged) return merged.error();
  for (MergedGroup& group : *merged) {
    filters.adopt(filters.index_of(group.group).value(), std::move(group.filter), group.count);
  }
  return shipped;
}

}  // namespace bloomery
