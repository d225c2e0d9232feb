// Letters and digits of ASCII, whatever the locale of the process, which <cctype> asks.
#pragma once

namespace bloomery {

[[nodiscard]] constexpr char ascii_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] constexpr bool is_ascii_letter_or_digit(char c) noexcept {
  return (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z');
}

}  // namespace bloomery
