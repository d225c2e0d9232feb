#include "base/base64.h"

#include <cstdint>

namespace bloomery {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto part = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8U | (j < part.size() ? static_cast<std::uint8_t>(part[j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += j <= part.size() ? kDigits[(bits >> (18 - 6 * j)) & 63U] : '=';
    }
  }
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  const std::size_t padding = text.size() - text.substr(0, text.find('=')).size();
  for (const char digit : text.substr(0, text.size() - padding)) {
    const std::size_t value = kDigits.find(digit);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U | static_cast<std::uint32_t>(value)) & 0xFFFFFFU;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xFFU);
    }
  }
  // Only what to_base64() would write again.
  if (to_base64(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace bloomery
