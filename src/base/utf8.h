// The one judge of what is UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bloomery {

// Length of the well-formed sequence at the start of `bytes`, which are not empty; 0 where there is
// none. Overlong forms, surrogates and what lies beyond Unicode are not well-formed.
[[nodiscard]] inline std::size_t utf8_length(std::string_view bytes) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  const bool is_overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool is_surrogate = lead == 0xED && byte(1) >= 0xA0;
  const bool is_beyond_unicode = lead == 0xF4 && byte(1) >= 0x90;
  return is_overlong || is_surrogate || is_beyond_unicode ? 0 : length;
}

}  // namespace bloomery
