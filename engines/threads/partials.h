// Builds as a cluster would: every task ships a partial, and the partials are merged.
#pragma once

#include <span>
#include <vector>

#include "bloomery/result.h"
#include "engines/threads/collect.h"
#include "engines/threads/filter_set.h"
#include "partial/strategy.h"

namespace bloomery {

// Encodes the hashes of every task, merges the partials into `filters`, and says what they weigh.
Result<ShippedBytes> fill_through_partials(FilterSet& filters,
                                           std::span<const std::vector<CollectedGroup>> tasks,
                                           Strategy strategy, unsigned threads);

}  // namespace bloomery
