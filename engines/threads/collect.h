// The first pass over the input: counts per group and, while they fit the memory, all hashes.
//
//   takes   batches of keys
//   gives   counts, to the plan; hashes, to the filters
//
// When the hashes do not fit, an input that can be read again is only counted from there on; what
// comes from a pipe goes into a file without a name, from which the filters are filled later.
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
  std::uint64_t memory = 0;  // for hashes, in bytes
  bool may_reread = true;    // else hashes that do not fit are spilled
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

  // All groups of all tasks together.
  [[nodiscard]] std::vector<GroupCount> counts() const;
  // By task; the hashes are complete only if has_all_hashes().
  [[nodiscard]] std::span<const std::vector<CollectedGroup>> tasks() const { return tasks_; }
  [[nodiscard]] bool has_all_hashes() const noexcept {
    return options_.needs_hashes && !is_full_.load();
  }
  // For a second pass over the input, which does not need them.
  void drop_hashes() noexcept;
  [[nodiscard]] std::uint64_t spilled_bytes() const noexcept { return spilled_; }
  // Calls use(group, hashes) for everything that was spilled.
  Result<void> each_spilled(
      const std::function<void(const std::string&, std::span<const KeyHash>)>& use) const;

 private:
  class Work;

  // False when the memory is used up.
  [[nodiscard]] bool take_memory(std::uint64_t bytes) noexcept {
    return (taken_ += bytes) <= options_.memory;
  }
  Result<void> spill(const std::string& group, const HashPieces& hashes);

  CollectOptions options_;
  std::vector<std::vector<CollectedGroup>> tasks_;
  std::atomic<std::uint64_t> taken_{0};
  std::atomic<bool> is_full_{false};

  struct Stretch {
    std::string group;
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
  };
  std::mutex spill_mutex_;
  File spill_file_;
  std::vector<Stretch> stretches_;
  std::uint64_t spilled_ = 0;
};

}  // namespace bloomery
