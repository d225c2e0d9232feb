// The partials of all tasks to one filter a group, in memory.
//
//   takes   frames of any tasks, in any order, from any number of threads
//   gives   filters and counts, to bank/
//
// Merging is commutative and associative, and what comes twice is left out, so retries and
// reordering cannot change a result. Engines that must not hold a whole table use merge_frame() and
// PartialLedger themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bloomery/filter.h"
#include "bloomery/result.h"
#include "partial/frame.h"

namespace bloomery {

struct MergeGroup {
  std::string group;
  FilterSpec spec;
};

struct MergedGroup {
  std::string group;
  Filter filter;
  std::uint64_t count = 0;  // keys inserted, repeats included
};

class PartialMerger {
 public:
  // Empty filters. Fails for a group that is there twice, an invalid spec, or too little memory.
  static Result<PartialMerger> create(std::vector<MergeGroup> groups);

  PartialMerger(PartialMerger&& other) noexcept;
  PartialMerger& operator=(PartialMerger&& other) noexcept;
  ~PartialMerger();

  // Any number of threads may call these at once; frames of one group wait for each other. After a
  // failure the merger is of no more use: finish() fails with the same error.
  Result<void> add(const Frame& frame);
  // Every frame in `bytes`; `name` stands for them in messages.
  Result<void> add(std::span<const std::byte> bytes, std::string_view name);

  // The filters, sorted by group, when all that the tasks have sent is here; see
  // PartialLedger::settle(). Call it once, alone.
  Result<std::vector<MergedGroup>> finish(std::optional<std::uint64_t> tasks = std::nullopt);

 private:
  struct State;
  explicit PartialMerger(std::unique_ptr<State> state) noexcept;

  std::unique_ptr<State> state_;
};

}  // namespace bloomery
