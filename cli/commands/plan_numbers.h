// bloomery plan from numbers alone: what a calculator would print.
#pragma once

#include <cstdint>
#include <optional>

#include "bloomery/result.h"
#include "cli/command.h"
#include "cli/filter_flags.h"

namespace bloomery::cli {

// Two of keys, fpr and bytes give the third, for every kind or the one that was named. Without
// keys, both others must be there.
Result<ExitCode> plan_from_numbers(const FilterOptions& options, std::optional<std::uint64_t> keys,
                                   std::uint64_t memory, Console& console);

}  // namespace bloomery::cli
