// SipHash-1-3: a hash that nobody without its key can predict.
//
//   takes   a key of a filter, and the 128-bit secret key as two little-endian words
//   gives   64 bits
//
// One round a word and three at the end, the variant that hash tables use: about twice as fast as
// SipHash-2-4, with no known way to find collisions without the secret.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace bloomery {

[[nodiscard]] std::uint64_t siphash_1_3(std::string_view key,
                                        const std::array<std::uint64_t, 2>& secret) noexcept;

}  // namespace bloomery
