#include "engines/threads/filter_set.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "partial/task_keys.h"

namespace bloomery {
namespace {

// Filters above this are filled one after the other, each by all threads; smaller ones at the same
// time.
constexpr std::size_t kLargeTable = std::size_t{16} << 20U;

// What a group takes besides its table: plan, filter, lock.
constexpr std::uint64_t kGroupBytes = sizeof(GroupPlan) + sizeof(Filter) + 128;

}  // namespace

FilterSet::FilterSet(std::vector<GroupPlan> plan) : plan_(std::move(plan)), counts_(plan_.size()) {}

Result<FilterSet> FilterSet::create(std::vector<GroupPlan> plan, std::uint64_t memory) {
  std::uint64_t left = memory;
  for (const GroupPlan& group : plan) {
    // A key is hashed once, whatever its group.
    if (group.spec.hasher != plan.front().spec.hasher ||
        group.spec.dialect != plan.front().spec.dialect ||
        group.spec.seeds != plan.front().spec.seeds) {
      return make_error(
          ErrorCode::kMismatch,
          "groups \"{}\" and \"{}\" are planned with different hashes, seeds or dialects; "
          "plan them together",
          escaped(plan.front().group), escaped(group.group));
    }
    const std::uint64_t bytes =
        table_bytes(group.spec.kind, group.spec.bits) + kGroupBytes + group.group.size();
    if (bytes > left) {
      return make_error(
          ErrorCode::kResource,
          "the filters do not fit {} bytes, the part of --memory that is for them; allow "
          "more, use a higher -p, or build groups apart and merge the banks",
          memory);
    }
    left -= bytes;
  }
  FilterSet set(std::move(plan));
  for (const GroupPlan& group : set.plan_) {
    auto filter = Filter::create(group.spec);
    if (!filter) return filter.error();
    set.filters_.push_back(*std::move(filter));
    set.mutexes_.push_back(std::make_unique<std::mutex>());
  }
  return set;
}

Result<std::size_t> FilterSet::index_of(std::string_view group) const {
  const auto found = std::lower_bound(
      plan_.begin(), plan_.end(), group,
      [](const GroupPlan& plan, std::string_view name) { return plan.group < name; });
  if (found == plan_.end() || found->group != group) {
    return make_error(ErrorCode::kInvalidArgument,
                      "group \"{}\" is not in the plan; plan from data that has it",
                      escaped(group));
  }
  return static_cast<std::size_t>(found - plan_.begin());
}

void FilterSet::fill_from(std::span<const std::vector<CollectedGroup>> tasks, unsigned threads) {
  std::vector<std::vector<std::span<const KeyHash>>> pieces(size());
  for (const auto& task : tasks) {
    for (const CollectedGroup& group : task) {
      if (group.records == 0) continue;
      group.hashes.append_to(pieces[index_of(group.group).value()]);
    }
  }
  for (std::size_t i = 0; i < size(); ++i) counts_[i] = plan_[i].records;
  std::vector<std::size_t> small;
  for (std::size_t i = 0; i < size(); ++i) {
    if (filters_[i].table().size() > kLargeTable) {
      filters_[i].insert_pieces(pieces[i], threads);
    } else {
      small.push_back(i);
    }
  }
  // The largest first, so that threads finish together.
  std::sort(small.begin(), small.end(),
            [&](std::size_t a, std::size_t b) { return counts_[a] > counts_[b]; });
  parallel_for(threads, small.size(),
               [&](std::size_t i) { filters_[small[i]].insert_pieces(pieces[small[i]], 1); });
}

Result<void> FilterSet::fill_from_spill(Collector& collector, unsigned threads) {
  // Tasks that were done before the memory was full have spilled nothing and hold their hashes.
  fill_from(collector.tasks(), threads);
  collector.drop_hashes();
  return collector.each_spilled([&](const std::string& group, std::span<const KeyHash> hashes) {
    filters_[index_of(group).value()].insert(hashes, threads);
  });
}

// Inserts the keys of one task: hashes or positions in pieces, under the filter's lock.
class FilterSet::Work : public TaskWork {
 public:
  Work(FilterSet& set, std::uint64_t memory) : set_(&set), memory_(memory) {}

  Result<void> take(const KeyBatch& batch, const GroupTable& names) override {
    for (std::size_t i = places_.size(); i < names.size(); ++i) {
      const auto place = set_->index_of(names.name(static_cast<std::uint32_t>(i)));
      if (!place) return place.error();
      places_.push_back(*place);
      keys_.add_group(set_->plan_[*place].group, set_->plan_[*place].spec);
    }
    keys_.add(batch.keys, batch.groups);
    if (keys_.held_bytes() > memory_) insert_all();
    return {};
  }

  Result<void> finish() override {
    insert_all();
    return {};
  }

 private:
  void insert_all() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (keys_.count(i) == 0) continue;
      const std::scoped_lock lock(*set_->mutexes_[places_[i]]);
      keys_.insert_into(set_->filters_[places_[i]], i);
      set_->counts_[places_[i]] += keys_.count(i);
    }
    keys_.forget();
  }

  FilterSet* set_;
  std::uint64_t memory_;
  std::vector<std::size_t> places_;  // of the reader's groups in the set
  TaskKeys keys_;
};

MakeWork FilterSet::fill_work(std::uint64_t task_memory) {
  return [this, task_memory](std::size_t) { return std::make_unique<Work>(*this, task_memory); };
}

}  // namespace bloomery
