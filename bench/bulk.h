// Questions in one call of many million keys, for filters of any size.
#pragma once

#include <cstdint>

#include "bench.h"
#include "bloomery/filter.h"
#include "limit.h"

namespace bloomery::bench {

// Asks `filter`, which holds the keys numbered below `inserted`, `count` questions in one call.
void ask_in_one_call(Bench& bench, const Filter& filter, const LineTable& table,
                     std::uint64_t inserted, std::uint64_t count, const Target& target);

}  // namespace bloomery::bench
