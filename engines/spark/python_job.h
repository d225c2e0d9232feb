// One job in a Python process: its description in, its result out.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bloomery/result.h"
#include "engines/spark/engine.h"

namespace bloomery::spark {

// Fails with what the job says is wrong, or, where it says nothing, with the end of its log.
Result<nlohmann::json> run_python(const nlohmann::json& job, const SparkOptions& options);

}  // namespace bloomery::spark
