// Plans in files, for --plan-from.
#pragma once

#include <optional>
#include <string>

#include "bloomery/result.h"
#include "plan/plan.h"

namespace bloomery::cli {

// From what `plan -o` wrote, or from a bank, whose filters are then the plan.
Result<SavedPlan> read_plan(const std::string& path, const std::optional<SecretKey>& secret);

Result<void> write_plan(const std::string& path, bool force, const SavedPlan& plan);

}  // namespace bloomery::cli
