// Checksums and digests of files: XXH3, which is fast and finds accidents, not enemies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace bloomery {

// XXH3-64, seed 0.
[[nodiscard]] std::uint64_t checksum64(std::span<const std::byte> bytes) noexcept;

using Digest = std::array<std::byte, 16>;

// XXH3-128, seed 0, of the parts as if they lay end to end; low half first, little-endian.
[[nodiscard]] Digest digest128(std::initializer_list<std::span<const std::byte>> parts);

}  // namespace bloomery
