// The bytes of a key that do not fill a word, as a little-endian word.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/endian.h"

namespace bloomery {

// `count` bytes, zeros above them. Requires count < 8, and reads no byte beyond them. Overlapping
// loads, because a copy of unknown length costs more than hashing a short key does.
[[nodiscard]] inline std::uint64_t load_tail(const char* from, std::size_t count) noexcept {
  if (count >= 4) {
    const std::uint64_t low = load_le<std::uint32_t>(from);
    const std::uint64_t high = load_le<std::uint32_t>(from + count - 4);
    return low | (high << (8 * (count - 4)));
  }
  if (count == 0) return 0;
  const auto byte = [from](std::size_t i) {
    return std::uint64_t{static_cast<std::uint8_t>(from[i])};
  };
  return byte(0) | (byte(count / 2) << (8 * (count / 2))) | (byte(count - 1) << (8 * (count - 1)));
}

}  // namespace bloomery
