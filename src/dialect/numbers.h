// Numbers as Java has them: big-endian in files, and 32 bits with a sign.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/endian.h"

namespace bloomery {

[[nodiscard]] inline std::uint32_t load_be32(const std::byte* from) noexcept {
  return __builtin_bswap32(load_le<std::uint32_t>(from));
}

inline void store_be32(std::byte* to, std::uint32_t value) noexcept {
  store_le(to, __builtin_bswap32(value));
}

// A byte as Java widens it: those from 0x80 on become negative, and fill the bits above them.
[[nodiscard]] inline std::uint32_t sign_extended(char byte) noexcept {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<signed char>(byte)));
}

// The absolute value of Java's remainder: Math.abs(hash % bits).
[[nodiscard]] inline std::uint64_t absolute_remainder(std::uint32_t hash,
                                                      std::uint64_t bits) noexcept {
  const auto wide = static_cast<std::int64_t>(static_cast<std::int32_t>(hash));
  return static_cast<std::uint64_t>(wide < 0 ? -wide : wide) % bits;
}

// Python's remainder of a signed hash, which is never negative.
[[nodiscard]] inline std::uint64_t floored_remainder(std::uint32_t hash,
                                                     std::uint64_t bits) noexcept {
  const auto wide = static_cast<std::int64_t>(static_cast<std::int32_t>(hash));
  if (wide >= 0) return static_cast<std::uint64_t>(wide) % bits;
  const std::uint64_t below = static_cast<std::uint64_t>(-wide) % bits;
  return below == 0 ? 0 : bits - below;
}

// Whether the bits of `table`, LSB-first, are zero from `bits` on.
[[nodiscard]] inline bool is_zero_from(std::span<const std::byte> table,
                                       std::uint64_t bits) noexcept {
  const std::uint64_t byte = bits / 8;
  if (bits % 8 != 0 && (static_cast<unsigned>(table[byte]) >> (bits % 8)) != 0) return false;
  for (std::uint64_t i = byte + (bits % 8 != 0 ? 1 : 0); i < table.size(); ++i) {
    if (table[i] != std::byte{}) return false;
  }
  return true;
}

}  // namespace bloomery
