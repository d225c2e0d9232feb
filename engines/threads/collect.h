// The first pass over the input: counts per group and, while they fit the memory, all hashes.
//
//   takes   batches of keys
//   gives   counts, to the plan; hashes, to the filters
//
// When the hashes do not fit, an input that can be read again is only counted from there on; what
// comes from a pipe goes into a file without a name, from which the filters are filled later. What
// is counted must fit in any case: a group takes some hundred bytes a thread, or with distinct keys
// up to 32 KiB.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "bloomery/hash.h"
#include "engines/threads/run_tasks.h"
#include "partial/hash_pieces.h"
#include "plan/distinct.h"
#include "plan/plan.h"

namespace bloomery {

// What is wanted of the first pass.
struct CollectOptions {
  Hasher hasher;
  bool needs_hashes = true;  // false: count only
  bool counts_distinct = false;
  std::uint64_t max_groups = kDefaultMaxGroups;
  std::uint64_t hash_memory = 0;   // for hashes, and the counts while there are hashes
  std::uint64_t count_memory = 0;  // for the counts alone
  bool may_reread = true;          // else hashes that do not fit are spilled
  std::string tmp;
};

// What one task found of one group.
struct CollectedGroup {
  std::string group;
  std::uint64_t records = 0;
  HashPieces hashes;
  DistinctCounter distinct;
};

class Collector {
 public:
  explicit Collector(CollectOptions options) : options_(std::move(options)) {}

  // Makes the work of each of `tasks` tasks.
  MakeWork make_work(std::size_t tasks);

  // All groups of all tasks together. Call it once.
  [[nodiscard]] std::vector<GroupCount> take_counts();
  // By task, those that hold hashes; these are all there are only if has_all_hashes().
  [[nodiscard]] std::span<const std::vector<CollectedGroup>> tasks() const { return tasks_; }
  [[nodiscard]] bool has_all_hashes() const noexcept {
    return options_.needs_hashes && !is_full_.load();
  }
  // When they are no longer needed.
  void drop_hashes() noexcept { tasks_.clear(); }
  [[nodiscard]] std::uint64_t spilled_bytes() const noexcept { return spilled_; }
  // Calls use(group, hashes) for everything that was spilled, a group's hashes in several calls.
  Result<void> each_spilled(
      const std::function<void(const std::string&, std::span<const KeyHash>)>& use) const;

 private:
  class Work;

  // What all tasks found of one group.
  struct Sum {
    std::uint64_t records = 0;
    DistinctCounter distinct;
  };

  // Of hashes and of counts. Hashes are given up when there is too little for both.
  [[nodiscard]] bool is_over_memory() const noexcept {
    return hash_bytes_ + count_bytes_ > options_.hash_memory;
  }
  [[nodiscard]] Result<void> check_counts_fit() const;
  Result<void> add_counts(std::vector<CollectedGroup>& groups);
  void keep_until_full(std::vector<CollectedGroup>& groups, std::uint64_t hash_bytes,
                       std::uint64_t count_bytes);
  void give_up_finished();
  Result<void> spill(const std::string& group, const HashPieces& hashes);

  CollectOptions options_;
  std::vector<std::vector<CollectedGroup>> tasks_;
  std::atomic<std::uint64_t> hash_bytes_{0};
  std::atomic<std::uint64_t> count_bytes_{0};
  std::atomic<bool> is_full_{false};

  // A task that is done and holds its hashes.
  struct Finished {
    std::vector<CollectedGroup>* groups = nullptr;
    std::uint64_t hash_bytes = 0;
    std::uint64_t count_bytes = 0;
  };
  std::mutex sums_mutex_;
  std::map<std::string, Sum> sums_;
  std::vector<Finished> finished_;

  // The file is stretches, one after the other: a head, then the hashes.
  struct StretchHead {
    std::uint64_t group = 0;  // its place in spilled_groups_
    std::uint64_t hashes = 0;
  };
  std::mutex spill_mutex_;
  File spill_file_;
  std::map<std::string, std::uint64_t> spilled_places_;
  std::vector<const std::string*> spilled_groups_;
  std::uint64_t spilled_ = 0;
};

}  // namespace bloomery
