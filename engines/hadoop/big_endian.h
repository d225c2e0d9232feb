// Big-endian numbers: Java writes them so, and as bytes they sort like numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bloomery::hadoop {

template <typename T>
void append_be(std::string& to, T value) {
  for (std::size_t i = sizeof value; i-- > 0;) to += static_cast<char>(value >> (8 * i));
}

// Requires sizeof(T) bytes.
template <typename T>
[[nodiscard]] T load_be(const char* from) noexcept {
  T value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    value = static_cast<T>(value * 256U + static_cast<std::uint8_t>(from[i]));
  }
  return value;
}

}  // namespace bloomery::hadoop
