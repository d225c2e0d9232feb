// What a build says of the bank it has written.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "engines/jobs.h"

namespace bloomery {

// Opens the bank: that checks it, from the first byte to the last. `plan` is sorted. Fills in all
// but what was shipped and the facts.
Result<BuildResult> describe_bank(const std::string& path, std::span<const GroupPlan> plan,
                                  unsigned threads);

// Adds a warning where keys repeat so often that filters are far too large.
void warn_of_repeats(const std::vector<BuiltGroup>& groups, JobFacts& facts);

}  // namespace bloomery
