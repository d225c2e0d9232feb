// Keys, rate and size: any two give the third.
//
//   size_for      keys, fpr   -> bits, hashes
//   size_within   keys, bits  -> hashes, fpr
//   keys_within   bits, fpr   -> keys
//
// The classic and counting kinds use the textbook formulas as they are printed:
//
//   m = ceil(-n ln p / (ln 2)^2)            k = round(m / n ln 2)
//   m = ceil(-k n / ln(1 - p^(1/k)))        with k given
//
// The blocked kind uses its true rate. Keys fall into blocks at random, so the keys of a block
// follow a Poisson distribution, and the rate is the mean over it of the rate of a block with that
// many keys. docs/filters.md has the formula and the measured curves.
#pragma once

#include <cstdint>
#include <optional>

#include "bloomery/result.h"
#include "bloomery/spec.h"

namespace bloomery {

struct FilterSize {
  std::uint64_t bits = 0;    // m: bits, or counters for the counting kind
  std::uint32_t hashes = 0;  // k
  double fpr = 0;            // predicted with `keys` keys in it

  friend bool operator==(const FilterSize&, const FilterSize&) = default;
};

// The smallest filter that holds `keys` keys at rate `fpr`. `hashes` fixes k; without it the
// textbook's rounding of k may cost the classic kind up to 4 % of the rate, and a blocked filter
// has 16 hashes only where 8 would take a tenth more bits. Fails for a rate that 64-bit hashes
// cannot give: where keys whose hashes are equal would be more than a tenth of it.
Result<FilterSize> size_for(Kind kind, std::uint64_t keys, double fpr,
                            std::optional<std::uint32_t> hashes = std::nullopt);

// The filter of at most `bits` bits (counters) for `keys` keys, with k by the same rules, and the
// rate it has then: never above that of a size_for() which gave these bits, and never below the
// share of absent keys whose hash is that of one of `keys`.
Result<FilterSize> size_within(Kind kind, std::uint64_t keys, std::uint64_t bits,
                               std::optional<std::uint32_t> hashes = std::nullopt);

// The most keys for which size_for() gives at most `bits` bits. Fails when not even one key fits.
Result<std::uint64_t> keys_within(Kind kind, std::uint64_t bits, double fpr,
                                  std::optional<std::uint32_t> hashes = std::nullopt);

// The most bits (counters) whose table takes at most `bytes` bytes. Fails for fewer bytes than the
// smallest table has, and for more than the largest.
Result<std::uint64_t> bits_in_bytes(Kind kind, std::uint64_t bytes);

// The rate of a filter with `keys` distinct keys in it, were no two hashes equal. Requires bits and
// hashes valid for the kind.
[[nodiscard]] double predicted_fpr(Kind kind, std::uint64_t keys, std::uint64_t bits,
                                   std::uint32_t hashes);

// A spec sized for `keys` keys at rate `fpr`: what most callers want.
Result<FilterSpec> plan_filter(Kind kind, std::uint64_t keys, double fpr, const Hasher& hasher = {},
                               std::optional<std::uint32_t> hashes = std::nullopt);

}  // namespace bloomery
