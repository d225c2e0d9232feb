#include "parse/utf8.h"

#include "base/endian.h"
#include "base/utf8.h"

namespace bloomery {

bool is_utf8(std::string_view bytes) noexcept {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  while (!bytes.empty()) {
    if (bytes.size() >= 8 && (load_le<std::uint64_t>(bytes.data()) & kHighBits) == 0) {
      bytes.remove_prefix(8);
      continue;
    }
    const std::size_t length = utf8_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::size_t write_utf8(std::uint32_t code_point, char* to) noexcept {
  const auto tail = [&](unsigned shift) {
    return static_cast<char>(0x80U | ((code_point >> shift) & 0x3FU));
  };
  if (code_point < 0x80) {
    to[0] = static_cast<char>(code_point);
    return 1;
  }
  if (code_point < 0x800) {
    to[0] = static_cast<char>(0xC0U | (code_point >> 6U));
    to[1] = tail(0);
    return 2;
  }
  if (code_point < 0x10000) {
    to[0] = static_cast<char>(0xE0U | (code_point >> 12U));
    to[1] = tail(6);
    to[2] = tail(0);
    return 3;
  }
  to[0] = static_cast<char>(0xF0U | (code_point >> 18U));
  to[1] = tail(12);
  to[2] = tail(6);
  to[3] = tail(0);
  return 4;
}

}  // namespace bloomery
