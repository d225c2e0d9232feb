// The true false-positive rate of the blocked kind.
//
// Keys fall into blocks at random, so the number of keys in a block follows a Poisson distribution
// around the mean. A block with j keys gives a false positive where every bit that a query looks at
// was set by one of the j; the rate of the filter is the mean of that over all j.
#pragma once

#include <cstdint>

namespace bloomery {

// The rate with a mean of `keys_per_block` keys in a block. `hashes` is 8 or 16.
[[nodiscard]] double blocked_fpr(double keys_per_block, std::uint32_t hashes);

// The inverse: the largest mean number of keys in a block that keeps the rate at or below `fpr`.
[[nodiscard]] double blocked_keys_per_block(double fpr, std::uint32_t hashes);

}  // namespace bloomery
