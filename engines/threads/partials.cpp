#include "engines/threads/partials.h"

#include <fmt/core.h>

#include <mutex>

#include "base/error.h"
#include "base/parallel.h"
#include "merge/partial_merger.h"
#include "partial/encode.h"
#include "partial/task_keys.h"

namespace bloomery {
namespace {

Result<PartialMerger> merger_of(const FilterSet& filters) {
  std::vector<MergeGroup> groups;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    groups.push_back({filters.plan(i).group, filters.plan(i).spec});
  }
  return PartialMerger::create(std::move(groups));
}

Result<void> adopt_merged(PartialMerger& merger, std::size_t tasks, FilterSet& filters) {
  auto merged = merger.finish(tasks);
  if (!merged) return merged.error();
  for (MergedGroup& group : *merged) {
    filters.adopt(filters.index_of(group.group).value(), std::move(group.filter), group.count);
  }
  return {};
}

EncodeOptions encode_options(Strategy strategy, std::size_t task) {
  EncodeOptions options;
  options.strategy = strategy;
  options.weigh_all = true;
  options.task = static_cast<std::uint32_t>(task);
  return options;
}

// One task's partial, to the merger.
Result<PartialFacts> ship_groups(std::span<const GroupKeys> groups, const EncodeOptions& options,
                                 PartialMerger& merger) {
  const std::string name = fmt::format("task {}", options.task);
  return encode_partial(options, groups,
                        [&](std::span<const std::byte> frame) { return merger.add(frame, name); });
}

// One task's partial, from its hashes.
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
  return ship_groups(groups, options, merger);
}

class KeyPass : public PartialPass {
 public:
  KeyPass(FilterSet& filters, PartialMerger merger, std::size_t tasks, Strategy strategy,
          std::uint64_t task_memory)
      : filters_(&filters), merger_(std::move(merger)), tasks_(tasks), task_memory_(task_memory) {
    shipped_.strategy = strategy;
  }

  MakeWork make_work() override {
    return [this](std::size_t i) { return std::make_unique<Work>(*this, i); };
  }

  Result<ShippedBytes> finish() override {
    if (auto done = adopt_merged(merger_, tasks_, *filters_); !done) return done.error();
    return std::move(shipped_);
  }

 private:
  class Work : public TaskWork {
   public:
    Work(KeyPass& pass, std::size_t task) : pass_(&pass), task_(task) {}

    Result<void> take(const KeyBatch& batch, const GroupTable& names) override {
      for (std::size_t i = keys_.group_count(); i < names.size(); ++i) {
        const auto place = pass_->filters_->index_of(names.name(static_cast<std::uint32_t>(i)));
        if (!place) return place.error();
        const GroupPlan& plan = pass_->filters_->plan(*place);
        keys_.add_group(plan.group, plan.spec);
      }
      keys_.add(batch.keys, batch.groups);
      if (keys_.held_bytes() <= pass_->task_memory_) return {};
      return make_error(
          ErrorCode::kResource,
          "--strategy needs the positions of a task in memory, and they do not fit {} "
          "bytes; allow more with --memory, or use more --tasks",
          pass_->task_memory_);
    }

    Result<void> finish() override {
      const auto facts = ship_groups(
          keys_.group_keys(), encode_options(pass_->shipped_.strategy, task_), pass_->merger_);
      if (!facts) return facts.error();
      keys_.forget();
      const std::scoped_lock lock(pass_->mutex_);
      pass_->shipped_.add(facts->bytes, facts->groups);
      return {};
    }

   private:
    KeyPass* pass_;
    std::size_t task_;
    TaskKeys keys_;
  };

  FilterSet* filters_;
  PartialMerger merger_;
  std::size_t tasks_;
  std::uint64_t task_memory_;
  std::mutex mutex_;
  ShippedBytes shipped_;
};

}  // namespace

Result<ShippedBytes> fill_through_partials(FilterSet& filters,
                                           std::span<const std::vector<CollectedGroup>> tasks,
                                           Strategy strategy, unsigned threads) {
  ShippedBytes shipped;
  shipped.strategy = strategy;
  auto merger = merger_of(filters);
  if (!merger) return merger.error();
  std::mutex mutex;
  std::optional<Error> failure;
  parallel_for(threads, tasks.size(), [&](std::size_t i) {
    const auto facts = ship(filters, tasks[i], encode_options(strategy, i), *merger);
    const std::scoped_lock lock(mutex);
    if (!facts) {
      failure = facts.error();
      return;
    }
    shipped.add(facts->bytes, facts->groups);
  });
  if (failure) return *failure;
  if (auto done = adopt_merged(*merger, tasks.size(), filters); !done) return done.error();
  return shipped;
}

Result<std::unique_ptr<PartialPass>> PartialPass::create(FilterSet& filters, std::size_t tasks,
                                                         Strategy strategy,
                                                         std::uint64_t task_memory) {
  auto merger = merger_of(filters);
  if (!merger) return merger.error();
  return std::unique_ptr<PartialPass>(
      std::make_unique<KeyPass>(filters, *std::move(merger), tasks, strategy, task_memory));
}

}  // namespace bloomery
