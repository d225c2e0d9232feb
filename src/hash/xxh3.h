// XXH3-64 from libxxhash's header, compiled into this library.
//
//   takes   a key and a 64-bit seed
//   gives   64 bits
//
// Inlined, because a call through libxxhash.so costs as much as hashing a short key does: 8-byte
// keys take about 1 ns this way. The price is that only this folder may include it, so that there
// is one copy of the code and nothing of it is exported.
#pragma once

#define XXH_INLINE_ALL  // libxxhash's switch for static inline functions
#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace bloomery {

// Long keys out of line, so that a short one does not pay for the registers they need.
[[nodiscard, gnu::noinline]] inline std::uint64_t xxh3_64_long(std::string_view key,
                                                               std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(key.data(), key.size(), seed);
}

[[nodiscard]] inline std::uint64_t xxh3_64(std::string_view key, std::uint64_t seed) noexcept {
  if (key.size() > 16) return xxh3_64_long(key, seed);
  return XXH3_64bits_withSeed(key.data(), key.size(), seed);
}

}  // namespace bloomery
