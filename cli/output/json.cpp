#include "cli/output/json.h"

#include <cstdint>

#include "parse/utf8.h"

namespace bloomery::cli {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t length = bytes.size() - i < 3 ? bytes.size() - i : 3;
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      word = word << 8U | (j < length ? static_cast<std::uint8_t>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += j <= length ? kLetters[(word >> (18U - 6U * j)) & 63U] : '=';
    }
  }
  return out;
}

void put_bytes(Json& object, const std::string& name, std::string_view bytes) {
  if (is_utf8(bytes)) {
    object[name] = bytes;
  } else {
    object[name + "_b64"] = base64(bytes);
  }
}

std::string to_line(const Json& value, bool is_ascii) {
  return value.dump(-1, ' ', is_ascii, Json::error_handler_t::replace) + "\n";
}

}  // namespace bloomery::cli
