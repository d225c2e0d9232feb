// Little-endian numbers in byte arrays: every file and hash is little-endian, whatever the machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bloomery {

static_assert(std::endian::native == std::endian::little,
              "tables are probed as they lie in the file, which is little-endian");

template <typename T>
[[nodiscard]] inline T load_le(const void* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
inline void store_le(void* to, T value) noexcept {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace bloomery
