// Whether bytes are UTF-8, and how a code point is written in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bloomery {

[[nodiscard]] bool is_utf8(std::string_view bytes) noexcept;

// Writes the code point at `to`, which has room for 4 bytes, and returns how many it took.
std::size_t write_utf8(std::uint32_t code_point, char* to) noexcept;

}  // namespace bloomery
