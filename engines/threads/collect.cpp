#include "engines/threads/collect.h"

#include <array>

#include "base/error.h"
#include "base/scratch_file.h"

namespace bloomery {

// Collects the keys of one task. Groups have the indexes that the task's reader gives them.
class Collector::Work : public TaskWork {
 public:
  Work(Collector& collector, std::vector<CollectedGroup>& groups)
      : collector_(&collector), groups_(&groups) {}

  Result<void> take(const KeyBatch& batch, const GroupTable& names) override {
    for (std::size_t i = groups_->size(); i < names.size(); ++i) {
      groups_->emplace_back().group = names.name(static_cast<std::uint32_t>(i));
    }
    const CollectOptions& options = collector_->options_;
    const bool keeps = options.needs_hashes && (!options.may_reread || !collector_->is_full_);
    if (!keeps && !options.counts_distinct) {
      for (const std::uint32_t group : batch.groups) ++(*groups_)[group].records;
      return {};
    }
    options.hasher.hash_all(batch.keys, hashes_);
    return keep(batch, keeps);
  }

  Result<void> finish() override {
    if (!collector_->is_full_ || collector_->options_.may_reread) return {};
    return spill_all();
  }

 private:
  Result<void> keep(const KeyBatch& batch, bool keeps) {
    const bool counts_distinct = collector_->options_.counts_distinct;
    std::size_t grown = 0;
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      CollectedGroup& group = (*groups_)[batch.groups[i]];
      ++group.records;
      if (keeps) grown += group.hashes.push(hashes_[i]);
      if (counts_distinct) group.distinct.insert(hashes_[i]);
    }
    held_ += grown;
    if (grown == 0 || collector_->take_memory(grown)) return {};
    collector_->is_full_ = true;
    if (!collector_->options_.may_reread) return spill_all();
    for (CollectedGroup& group : *groups_) group.hashes.clear();
    return {};
  }

  Result<void> spill_all() {
    for (CollectedGroup& group : *groups_) {
      if (group.hashes.size() == 0) continue;
      if (const auto done = collector_->spill(group.group, group.hashes); !done) return done;
      group.hashes.clear();
    }
    collector_->taken_ -= std::exchange(held_, 0);
    return {};
  }

  Collector* collector_;
  std::vector<CollectedGroup>* groups_;
  std::array<KeyHash, KeyReader::kBatchKeys> hashes_{};
  std::uint64_t held_ = 0;
};

MakeWork Collector::make_work(std::size_t tasks) {
  tasks_.resize(tasks);
  return [this](std::size_t i) { return std::make_unique<Work>(*this, tasks_[i]); };
}

void Collector::drop_hashes() noexcept {
  for (auto& task : tasks_) {
    for (CollectedGroup& group : task) group.hashes.clear();
  }
}

std::vector<GroupCount> Collector::counts() const {
  struct Sum {
    std::uint64_t records = 0;
    DistinctCounter distinct;
  };
  std::map<std::string_view, Sum> sums;
  for (const auto& task : tasks_) {
    for (const CollectedGroup& group : task) {
      // A group whose records were all rejected for another reason has a name and no record.
      if (group.records == 0) continue;
      Sum& sum = sums[group.group];
      sum.records += group.records;
      if (options_.counts_distinct) sum.distinct.merge(group.distinct);
    }
  }
  std::vector<GroupCount> counts;
  counts.reserve(sums.size());
  for (const auto& [group, sum] : sums) {
    const std::uint64_t planned = options_.counts_distinct ? sum.distinct.estimate() : sum.records;
    counts.push_back({std::string(group), sum.records, planned});
  }
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
  stretches_.push_back({group, spilled_, hashes.size()});
  for (const auto piece : pieces) {
    if (const auto done = write_at(spill_file_, spilled_, std::as_bytes(piece), options_.tmp);
        !done) {
      return done;
    }
    spilled_ += piece.size_bytes();
  }
  return {};
}

Result<void> Collector::each_spilled(
    const std::function<void(const std::string&, std::span<const KeyHash>)>& use) const {
  std::vector<KeyHash> hashes;
  for (const Stretch& stretch : stretches_) {
    hashes.resize(stretch.count);
    const auto read = read_at(spill_file_, stretch.offset,
                              std::as_writable_bytes(std::span(hashes)), options_.tmp);
    if (!read) return read;
    use(stretch.group, hashes);
  }
  return {};
}

}  // namespace bloomery
