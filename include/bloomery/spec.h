// What a filter is, apart from its bits: two filters merge if and only if their specs are equal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/dialect.h"
#include "bloomery/hash.h"
#include "bloomery/result.h"

namespace bloomery {

// Layout of a filter. The numbers are format: docs/format.md, "Kinds".
enum class Kind : std::uint8_t {
  kClassic = 1,   // m bits, k positions: the textbook filter
  kBlocked = 2,   // 512-bit blocks, one cache line a key: the default
  kCounting = 3,  // m counters of 4 bits, k positions: keys can be removed
};

[[nodiscard]] std::string_view to_string(Kind kind) noexcept;
[[nodiscard]] std::optional<Kind> kind_from_string(std::string_view name) noexcept;

// The largest filter: 2^46 bits, 8 TiB. Positions come from the high bits of a 64-bit product, and
// above this size too few bits of the hash would be left to tell keys apart.
inline constexpr std::uint64_t kMaxBits = std::uint64_t{1} << 46U;
inline constexpr std::uint32_t kMaxHashes = 64;

// How many positions a blocked filter can give a key: one or two in each of its eight words.
inline constexpr std::uint64_t kBlockBits = 512;
inline constexpr std::uint64_t kBlockBytes = kBlockBits / 8;

struct FilterSpec {
  Dialect dialect = Dialect::kBloomery;
  Kind kind = Kind::kBlocked;
  Hasher hasher;                     // hash, seed and secret
  double fpr = 0.01;                 // the rate it was sized for
  std::uint64_t planned_keys = 0;    // the number of keys it was sized for
  std::uint64_t bits = 0;            // m; for the counting kind, m counters
  std::uint32_t hashes = 0;          // k
  std::vector<std::uint64_t> seeds;  // empty, or k seeds: one hash a position (classic only)

  friend bool operator==(const FilterSpec&, const FilterSpec&) = default;

  // With a list of seeds a key has k hashes instead of one, so ready hashes cannot be used; nor can
  // they with the rules of another system, which start from the key.
  [[nodiscard]] bool takes_hashes() const noexcept {
    return seeds.empty() && dialect == Dialect::kBloomery;
  }
};

// The bytes a filter's table takes, in memory and in a bank: a whole number of 64-bit words.
[[nodiscard]] std::uint64_t table_bytes(Kind kind, std::uint64_t bits) noexcept;

// Fails, naming the field, unless every field has a meaning and all of them fit together.
Result<void> validate(const FilterSpec& spec);

// "bits differ (24404 and 24424)", or nothing when the specs are equal.
[[nodiscard]] std::string describe_difference(const FilterSpec& a, const FilterSpec& b);

}  // namespace bloomery
