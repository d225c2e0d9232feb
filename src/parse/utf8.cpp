#include "parse/utf8.h"

#include "base/endian.h"

namespace bloomery {
namespace {

// Length of the well-formed sequence at the start of `bytes`, whose first byte is not ASCII; or 0.
std::size_t sequence_length(std::string_view bytes) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  const std::uint8_t lead = byte(0);
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

}  // namespace

bool is_utf8(std::string_view bytes) noexcept {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  while (!bytes.empty()) {
    if (bytes.size() >= 8 && (load_le<std::uint64_t>(bytes.data()) & kHighBits) == 0) {
      bytes.remove_prefix(8);
      continue;
    }
    const bool is_ascii = static_cast<std::uint8_t>(bytes[0]) < 0x80;
    const std::size_t length = is_ascii ? 1 : sequence_length(bytes);
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
