// Builds as a cluster would: every task ships a partial, and the partials are merged.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bloomery/result.h"
#include "engines/threads/collect.h"
#include "engines/threads/filter_set.h"
#include "engines/threads/run_tasks.h"
#include "partial/strategy.h"

namespace bloomery {

// Encodes the hashes of every task, merges the partials into `filters`, and says what they weigh.
Result<ShippedBytes> fill_through_partials(FilterSet& filters,
                                           std::span<const std::vector<CollectedGroup>> tasks,
                                           Strategy strategy, unsigned threads);

// The same where keys have no single hash to keep: a second pass whose tasks ship their partials as
// soon as they have read their part.
class PartialPass {
 public:
  // A task may hold `task_memory` bytes of hashes or positions.
  static Result<std::unique_ptr<PartialPass>> create(FilterSet& filters, std::size_t tasks,
                                                     Strategy strategy, std::uint64_t task_memory);
  virtual ~PartialPass() = default;

  virtual MakeWork make_work() = 0;
  // Merges what was shipped into the filters.
  virtual Result<ShippedBytes> finish() = 0;
};

}  // namespace bloomery
