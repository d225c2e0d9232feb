// XXH3-64 of exactly 8 bytes: what remains of it when the length is known.
//
//   takes   a number, and what the seed makes of the hash's secret
//   gives   the number's hash
//
// Here and not in the library alone, because a call costs as much as these dozen instructions do.
// No other headers, and always inlined, because the kernels of src/hash/ use it too. Format:
// docs/format.md, "Hashes"; tests/unit/hash compares it with the reference code.
#pragma once

#include <cstdint>

namespace bloomery::detail {

// A product, because the sanitisers take a shift that loses bits for a mistake. Compilers make a
// rotation of it all the same.
[[nodiscard, gnu::always_inline]] inline std::uint64_t rotated(std::uint64_t x,
                                                               unsigned count) noexcept {
  return (x * (std::uint64_t{1} << count)) | (x >> (64U - count));
}

// Words 1 and 2 of XXH3's secret, xored, less the seed with its low half turned into the high one.
[[nodiscard]] inline std::uint64_t xxh3_number_secret(std::uint64_t seed) noexcept {
  const std::uint64_t turned = __builtin_bswap32(static_cast<std::uint32_t>(seed));
  return 0xC73AB174C5ECD5A2ULL - (seed ^ (turned << 32U));
}

[[nodiscard, gnu::always_inline]] inline std::uint64_t xxh3_number(
    std::uint64_t number, std::uint64_t number_secret) noexcept {
  constexpr std::uint64_t kFactor = 0x9FB21C651E98DF25ULL;
  std::uint64_t x = rotated(number, 32) ^ number_secret;
  x ^= rotated(x, 49) ^ rotated(x, 24);
  x *= kFactor;
  x ^= (x >> 35U) + sizeof number;
  x *= kFactor;
  return x ^ (x >> 28U);
}

}  // namespace bloomery::detail
