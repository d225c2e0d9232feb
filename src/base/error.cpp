#include "base/error.h"

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace bloomery {
namespace {

ErrorCode code_of(int error_number) noexcept {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return ErrorCode::kNotFound;
    case EEXIST:
      return ErrorCode::kExists;
    case ENOSPC:
    case EDQUOT:
    case ENOMEM:
    case EFBIG:
      return ErrorCode::kResource;
    default:
      return ErrorCode::kIo;
  }
}

// Length of the well-formed UTF-8 sequence at the start of `bytes`, or 0.
std::size_t utf8_length(std::string_view bytes) noexcept {
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
  // U+0080 to U+009F are control characters too, and terminals obey them.
  const bool is_control = lead == 0xC2 && byte(1) < 0xA0;
  return is_overlong || is_surrogate || is_beyond_unicode || is_control ? 0 : length;
}

}  // namespace

Error errno_error(int error_number, std::string_view what) {
  return make_error(code_of(error_number), "{}: {}", what,
                    std::generic_category().message(error_number));
}

std::string escaped(std::string_view bytes, std::size_t max_bytes) {
  std::string out;
  std::size_t i = 0;
  while (i < bytes.size()) {
    if (i >= max_bytes) return out + "...";
    const auto lead = static_cast<std::uint8_t>(bytes[i]);
    const std::size_t length = utf8_length(bytes.substr(i));
    if (length == 0 || lead < 0x20 || lead == 0x7F || lead == '\\' || lead == '"') {
      out += fmt::format("\\x{:02x}", lead);
      ++i;
    } else {
      out += bytes.substr(i, length);
      i += length;
    }
  }
  return out;
}

}  // namespace bloomery
