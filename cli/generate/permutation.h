// A permutation of the numbers below n, without a table: data in mixed order in no memory.
#pragma once

#include <bit>
#include <cstdint>

namespace bloomery::cli {

// A 64-bit number that depends on every bit of `x`.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
  x = (x ^ (x >> 32U)) * 0xd6e8feb86659fd93U;
  x = (x ^ (x >> 32U)) * 0xd6e8feb86659fd93U;
  return x ^ (x >> 32U);
}

class Permutation {
 public:
  // Requires 0 < size <= 2^62.
  constexpr Permutation(std::uint64_t size, std::uint64_t seed) noexcept
      : size_(size),
        mask_(std::bit_ceil(size) - 1),
        shift_((static_cast<unsigned>(std::bit_width(mask_)) + 1) / 2),
        offset_(mixed(seed + 1)),
        factor_(mixed(seed + 2) | 1U) {}

  // Each step can be undone within the bits of mask_: adding, multiplying by an odd number, and
  // xoring the high half into the low one. What lands at or above size_ goes round again.
  [[nodiscard]] constexpr std::uint64_t operator()(std::uint64_t x) const noexcept {
    do {
      x = (x + offset_) & mask_;
      x ^= x >> shift_;
      x = (x * factor_) & mask_;
      x ^= x >> shift_;
      x = (x * 0x9e3779b97f4a7c15U) & mask_;
      x ^= x >> shift_;
    } while (x >= size_);
    return x;
  }

 private:
  std::uint64_t size_;
  std::uint64_t mask_;
  unsigned shift_;
  std::uint64_t offset_;
  std::uint64_t factor_;
};

}  // namespace bloomery::cli
