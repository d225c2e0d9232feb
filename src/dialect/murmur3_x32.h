// MurmurHash3 x86-32: the steps, and the hash as its author published it, which is Python's mmh3.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace bloomery {

[[nodiscard]] inline std::uint32_t murmur3_x32_scramble(std::uint32_t word) noexcept {
  return std::rotl(word * 0xcc9e2d51U, 15) * 0x1b873593U;
}

[[nodiscard]] inline std::uint32_t murmur3_x32_mix(std::uint32_t hash,
                                                   std::uint32_t word) noexcept {
  return std::rotl(hash ^ murmur3_x32_scramble(word), 13) * 5 + 0xe6546b64U;
}

[[nodiscard]] inline std::uint32_t murmur3_x32_finish(std::uint32_t hash,
                                                      std::size_t size) noexcept {
  hash ^= static_cast<std::uint32_t>(size);
  hash = (hash ^ (hash >> 16U)) * 0x85ebca6bU;
  hash = (hash ^ (hash >> 13U)) * 0xc2b2ae35U;
  return hash ^ (hash >> 16U);
}

[[nodiscard]] std::uint32_t murmur3_x32(std::string_view key, std::uint32_t seed) noexcept;

}  // namespace bloomery
