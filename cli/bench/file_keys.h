// The distinct keys of a user's files, to measure with.
#pragma once

#include <string>
#include <vector>

#include "bloomery/result.h"
#include "engines/jobs.h"

namespace bloomery::cli {

// All keys of the input, in any order; they repeat as they do there.
Result<std::vector<std::string>> file_keys(const JobInput& input, JobProgress* progress);

}  // namespace bloomery::cli
