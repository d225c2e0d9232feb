#include "engines/threads/collect.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/scratch_file.h"

namespace bloomery {
namespace {

// What a group takes in a task besides hashes and distinct keys: itself, in a vector that doubles,
// and its name twice, with the table that finds it.
std::uint64_t group_bytes(std::string_view name) {
  return 2 * sizeof(CollectedGroup) + 2 * name.size() + 64;
}

}  // namespace

// Collects the keys of one task. Groups have the indexes that the task's reader gives them.
class Collector::Work : public TaskWork {
 public:
  Work(Collector& collector, std::vector<CollectedGroup>& groups)
      : collector_(&collector), groups_(&groups) {}

  Result<void> take(const KeyBatch& batch, const GroupTable& names) override {
    add_groups(names);
    const CollectOptions& options = collector_->options_;
    const bool keeps = options.needs_hashes && (!options.may_reread || !collector_->is_full_);
    if (!keeps && !options.counts_distinct) {
      for (const std::uint32_t group : batch.groups) ++(*groups_)[group].records;
      return stay_within_memory();
    }
    options.hasher.hash_all(batch.keys, hashes_);
    keep(batch, keeps);
    return stay_within_memory();
  }

  Result<void> finish() override {
    if (collector_->is_full_) {
      if (auto done = give_up_hashes(); !done) return done;
    }
    if (auto few = collector_->add_counts(*groups_); !few) return few;
    collector_->count_bytes_ -= std::exchange(distinct_bytes_, 0);
    collector_->keep_until_full(*groups_, held_, group_bytes_);
    if (collector_->is_full_ && collector_->options_.may_reread) collector_->give_up_finished();
    return collector_->check_counts_fit();
  }

 private:
  void add_groups(const GroupTable& names) {
    std::uint64_t bytes = 0;
    for (std::size_t i = groups_->size(); i < names.size(); ++i) {
      groups_->emplace_back().group = names.name(static_cast<std::uint32_t>(i));
      bytes += group_bytes(groups_->back().group);
    }
    if (bytes == 0) return;
    has_grown_ = true;
    group_bytes_ += bytes;
    collector_->count_bytes_ += bytes;
  }

  void keep(const KeyBatch& batch, bool keeps) {
    const bool counts_distinct = collector_->options_.counts_distinct;
    std::uint64_t hash_bytes = 0;
    std::uint64_t distinct_bytes = 0;  // may go below zero and come back, all modulo 2^64
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      CollectedGroup& group = (*groups_)[batch.groups[i]];
      ++group.records;
      if (keeps) hash_bytes += group.hashes.push(hashes_[i]);
      if (counts_distinct) {
        distinct_bytes -= group.distinct.bytes();
        group.distinct.insert(hashes_[i]);
        distinct_bytes += group.distinct.bytes();
      }
    }
    held_ += hash_bytes;
    distinct_bytes_ += distinct_bytes;
    if (hash_bytes == 0 && distinct_bytes == 0) return;
    has_grown_ = true;
    collector_->hash_bytes_ += hash_bytes;
    collector_->count_bytes_ += distinct_bytes;
  }

  Result<void> stay_within_memory() {
    if (!std::exchange(has_grown_, false) || !collector_->is_over_memory()) return {};
    if (held_ > 0) {
      collector_->is_full_ = true;
      if (auto done = give_up_hashes(); !done) return done;
    }
    return collector_->check_counts_fit();
  }

  Result<void> give_up_hashes() {
    if (!collector_->options_.may_reread) return spill_all();
    collector_->give_up_finished();
    for (CollectedGroup& group : *groups_) group.hashes.clear();
    collector_->hash_bytes_ -= std::exchange(held_, 0);
    return {};
  }

  Result<void> spill_all() {
    for (CollectedGroup& group : *groups_) {
      if (group.hashes.size() == 0) continue;
      if (auto done = collector_->spill(group.group, group.hashes); !done) return done;
      group.hashes.clear();
    }
    collector_->hash_bytes_ -= std::exchange(held_, 0);
    return {};
  }

  Collector* collector_;
  std::vector<CollectedGroup>* groups_;
  std::array<KeyHash, KeyReader::kBatchKeys> hashes_{};
  // What the collector counts of this task.
  std::uint64_t held_ = 0;
  std::uint64_t group_bytes_ = 0;
  std::uint64_t distinct_bytes_ = 0;
  bool has_grown_ = false;  // since it was compared with the memory
};

MakeWork Collector::make_work(std::size_t tasks) {
  tasks_.resize(tasks);
  return [this](std::size_t i) { return std::make_unique<Work>(*this, tasks_[i]); };
}

Result<void> Collector::check_counts_fit() const {
  if (count_bytes_ <= options_.count_memory) return {};
  return make_error(ErrorCode::kResource,
                    "counting the {} of so many groups takes more than the {} bytes there are for "
                    "it; allow more with --memory, use fewer --threads, or group by a column with "
                    "fewer values",
                    options_.counts_distinct ? "distinct keys" : "records", options_.count_memory);
}

// The counts of a task that is done; of distinct keys nothing is left in it.
Result<void> Collector::add_counts(std::vector<CollectedGroup>& groups) {
  const std::scoped_lock lock(sums_mutex_);
  for (CollectedGroup& group : groups) {
    // A group whose records were all rejected for another reason has a name and no record.
    if (group.records == 0) continue;
    const auto [at, is_new] = sums_.try_emplace(group.group);
    Sum& sum = at->second;
    if (is_new) count_bytes_ += sizeof *at + 2 * group.group.size() + 64;
    sum.records += group.records;
    if (!options_.counts_distinct) continue;
    count_bytes_ -= sum.distinct.bytes();
    if (is_new) {
      sum.distinct = std::exchange(group.distinct, {});
    } else {
      sum.distinct.merge(std::exchange(group.distinct, {}));
    }
    count_bytes_ += sum.distinct.bytes();
  }
  return check_group_count(sums_.size(), options_.max_groups);
}

// A task without hashes is not needed any more.
void Collector::keep_until_full(std::vector<CollectedGroup>& groups, std::uint64_t hash_bytes,
                                std::uint64_t count_bytes) {
  const std::scoped_lock lock(sums_mutex_);
  if (hash_bytes > 0) {
    finished_.push_back({&groups, hash_bytes, count_bytes});
    return;
  }
  groups = std::vector<CollectedGroup>();
  count_bytes_ -= count_bytes;
}

// What comes from a file is read again, so nothing need be kept of it.
void Collector::give_up_finished() {
  const std::scoped_lock lock(sums_mutex_);
  for (const Finished& task : finished_) {
    *task.groups = std::vector<CollectedGroup>();
    hash_bytes_ -= task.hash_bytes;
    count_bytes_ -= task.count_bytes;
  }
  finished_.clear();
}

std::vector<GroupCount> Collector::take_counts() {
  std::vector<GroupCount> counts;
  counts.reserve(sums_.size());
  for (const auto& [group, sum] : sums_) {
    const std::uint64_t planned = options_.counts_distinct ? sum.distinct.estimate() : sum.records;
    counts.push_back({group, sum.records, planned});
  }
  sums_.clear();
  return counts;
}

Result<void> Collector::spill(const std::string& group, const HashPieces& hashes) {
  std::vector<std::span<const KeyHash>> pieces;
  hashes.append_to(pieces);
  const std::scoped_lock lock(spill_mutex_);
  if (!spill_file_.is_open()) {
    auto file = open_scratch_file(options_.tmp);
    if (!file) return file.error();
    spill_file_ = *std::move(file);
  }
  const auto [place, is_new] = spilled_places_.try_emplace(group, spilled_groups_.size());
  if (is_new) spilled_groups_.push_back(&place->first);
  const auto write = [&](std::span<const std::byte> bytes) -> Result<void> {
    auto written = write_scratch(spill_file_, spilled_, bytes, options_.tmp);
    spilled_ += bytes.size();
    return written;
  };
  const StretchHead head{place->second, hashes.size()};
  if (auto done = write(std::as_bytes(std::span(&head, 1))); !done) return done;
  for (const auto piece : pieces) {
    if (auto done = write(std::as_bytes(piece)); !done) return done;
  }
  return {};
}

Result<void> Collector::each_spilled(
    const std::function<void(const std::string&, std::span<const KeyHash>)>& use) const {
  std::vector<KeyHash> hashes;
  std::uint64_t at = 0;
  const auto read = [&](std::span<std::byte> bytes) {
    auto done = read_at(spill_file_, at, bytes, options_.tmp);
    at += bytes.size();
    return done;
  };
  // Half, because sorting them takes as much again.
  const std::uint64_t most = std::max<std::uint64_t>(options_.hash_memory / 2 / sizeof(KeyHash), 1);
  while (at < spilled_) {
    StretchHead head;
    if (auto done = read(std::as_writable_bytes(std::span(&head, 1))); !done) return done;
    for (std::uint64_t left = head.hashes; left > 0; left -= hashes.size()) {
      hashes.resize(std::min(left, most));
      if (auto done = read(std::as_writable_bytes(std::span(hashes))); !done) return done;
      use(*spilled_groups_[head.group], hashes);
    }
  }
  return {};
}

}  // namespace bloomery
