#include "base/error.h"

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "base/utf8.h"

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

// U+0080 to U+009F are control characters too, and terminals obey them. So they do those that turn
// the direction of writing round, which make a line read as what it is not.
bool is_control(std::string_view sequence) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(sequence[i]); };
  if (byte(0) < 0x80) return byte(0) < 0x20 || byte(0) == 0x7F;
  if (byte(0) == 0xC2) return byte(1) < 0xA0;
  if (sequence.size() != 3) return sequence == "\xD8\x9C";
  const unsigned point = (byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
  return point == 0x200E || point == 0x200F ||    // marks
         (point >= 0x2028 && point <= 0x202E) ||  // line ends, embeddings
         (point >= 0x2066 && point <= 0x2069);    // isolates
}

std::optional<char> hex_byte(std::string_view escape) {
  std::uint8_t byte = 0;
  if (escape.size() < 4 || escape[0] != '\\' || escape[1] != 'x') return std::nullopt;
  const auto [end, error] = std::from_chars(escape.data() + 2, escape.data() + 4, byte, 16);
  if (error != std::errc{} || end != escape.data() + 4) return std::nullopt;
  return static_cast<char>(byte);
}

void put_escape(std::string& out, char byte) {
  out += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(byte));
}

}  // namespace

void detail::throw_unchecked(const Error& error) {
  throw std::logic_error(error.message);
}

Error errno_error(int error_number, std::string_view what) {
  return make_error(code_of(error_number), "{}: {}", what,
                    std::generic_category().message(error_number));
}

std::string escaped(std::string_view bytes, std::size_t max_bytes) {
  std::string out;
  std::size_t i = 0;
  while (i < bytes.size()) {
    if (i >= max_bytes) return out + "...";
    const std::size_t length = utf8_length(bytes.substr(i));
    const std::string_view sequence = bytes.substr(i, length);
    if (length == 0 || is_control(sequence) || hex_byte(bytes.substr(i))) {
      put_escape(out, bytes[i]);
      ++i;
    } else {
      out += sequence;
      i += length;
    }
  }
  return out;
}

std::string escaped_field(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool ends_it = bytes[i] == '\t' || bytes[i] == '\n' || bytes[i] == '\r';
    if (ends_it || hex_byte(bytes.substr(i))) {
      put_escape(out, bytes[i]);
    } else {
      out += bytes[i];
    }
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = hex_byte(text.substr(i));
    out += byte.value_or(text[i]);
    if (byte) i += 3;
  }
  return out;
}

}  // namespace bloomery
