// Where a key's bits are. This is format: docs/filters.md, "Positions"; tests/golden/ pins it.
//
//   takes   a key's 64-bit hash
//   gives   positions in a classic or counting filter; block and mask in a blocked one
//
// Everything is scaled by the high half of a product, so any size will do and nothing divides. The
// high bits of a product are also the ones that depend on all bits of the hash.
//
// The functions are always inlined, because kernels compiled for wider instructions use them too:
// no copy of theirs may end up in code that runs everywhere.
#pragma once

#include <cstdint>

namespace bloomery {

enum class KeyHash : std::uint64_t;

// floor(x * range / 2^64).
[[nodiscard, gnu::always_inline]] inline std::uint64_t scale(std::uint64_t x,
                                                             std::uint64_t range) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(x) * range) >> 64U);
}

// Classic and counting: k numbers of a linear congruential sequence that starts at the hash. The
// multiplier is one that Steele and Vigna found to be spectrally good for 64 bits.
class PositionSequence {
 public:
  [[gnu::always_inline]] PositionSequence(KeyHash hash, std::uint64_t bits) noexcept
      : state_(static_cast<std::uint64_t>(hash)), bits_(bits) {}

  [[nodiscard, gnu::always_inline]] std::uint64_t next() noexcept {
    const std::uint64_t position = scale(state_, bits_);
    state_ = advance(state_);
    return position;
  }

  [[nodiscard, gnu::always_inline]] static std::uint64_t advance(std::uint64_t state) noexcept {
    return state * 0xD1342543DE82EF95ULL + 0x9E3779B97F4A7C15ULL;
  }

 private:
  std::uint64_t state_;
  std::uint64_t bits_;
};

// Classic with a list of seeds: the seed that XXH3 gets for one of the list. XXH3 does little more
// than xor a short key with its seed, so with the seeds 0, 1, 2, ... a key of up to 8 bytes would
// have positions that its neighbours have too (laws: "rate"). MurmurHash3 takes seeds as they are.
[[nodiscard, gnu::always_inline]] inline std::uint64_t spread_seed(std::uint64_t seed) noexcept {
  std::uint64_t x = seed + 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

// Blocked: which block, and the source of six bits for each of its eight words: word i gets the bit
// whose number is (x >> (16 + 6 i)) & 63. The second source is for filters with 16 positions.
inline constexpr unsigned kMaskShift = 16;
inline constexpr unsigned kMaskStep = 6;

[[nodiscard, gnu::always_inline]] inline std::uint64_t block_of(KeyHash hash,
                                                                std::uint64_t blocks) noexcept {
  return scale(static_cast<std::uint64_t>(hash), blocks);
}

[[nodiscard, gnu::always_inline]] inline std::uint64_t first_mask_source(KeyHash hash) noexcept {
  return static_cast<std::uint64_t>(hash) * 0xA0761D6478BD642FULL;
}

[[nodiscard, gnu::always_inline]] inline std::uint64_t second_mask_source(KeyHash hash) noexcept {
  const auto x = static_cast<std::uint64_t>(hash);
  return (x ^ (x >> 32U)) * 0xE7037ED1A0B428DBULL;
}

}  // namespace bloomery
