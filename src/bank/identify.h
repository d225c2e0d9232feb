// What a file is that is not a bank, so that the refusal can name it and the next step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "bloomery/result.h"

namespace bloomery {

// More of a file than this is not looked at.
inline constexpr std::size_t kIdentifyBytes = 512;

struct Identity {
  std::string_view what;    // "gzip data"
  std::string_view advice;  // "decompress it first"
  bool was_a_bank = false;  // a bank that a transfer has spoilt
};

// `start`: the first bytes of a file of `size` bytes that does not begin with the magic.
[[nodiscard]] Identity identify(std::span<const std::byte> start, std::uint64_t size) noexcept;

// The refusal: "<name>: not a bank but gzip data; decompress it first".
[[nodiscard]] Error not_a_bank(std::string_view name, std::span<const std::byte> start,
                               std::uint64_t size);

}  // namespace bloomery
