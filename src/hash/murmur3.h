// MurmurHash3 x64-128, as its author published it: tail bytes are unsigned.
//
//   takes   a key and a 32-bit seed
//   gives   128 bits in two halves
//
// Several systems use the same name for a variant that reads tail bytes as signed. Those live with
// their dialects; this one agrees with Guava and with Python's mmh3.
#pragma once

#include <cstdint>
#include <string_view>

namespace bloomery {

struct Murmur3Hash {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  friend bool operator==(const Murmur3Hash&, const Murmur3Hash&) = default;
};

[[nodiscard]] Murmur3Hash murmur3_x64_128(std::string_view key, std::uint32_t seed) noexcept;

}  // namespace bloomery
