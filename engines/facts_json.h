// What a job found and took, as every command and the Python package say it: docs/schema.
#pragma once

#include <nlohmann/json.hpp>

#include "engines/jobs.h"

namespace bloomery {

[[nodiscard]] nlohmann::ordered_json facts_json(const JobFacts& facts);

}  // namespace bloomery
