#include "parse/json_scanner.h"

#include <array>
#include <bit>
#include <charconv>

#include "parse/utf8.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bloomery {
namespace {

constexpr unsigned kMaxDepth = 100;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

// A byte that ends the plain part of a string: a quote, a backslash, or a control character.
bool is_special(char c) noexcept {
  return c == '"' || c == '\\' || static_cast<std::uint8_t>(c) < 0x20;
}

const char* find_special(const char* at, const char* end) noexcept {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i highest_control = _mm_set1_epi8(0x1F);
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, highest_control), bytes);
    const __m128i special = _mm_or_si128(
        control, _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(special));
    if (mask != 0) return at + std::countr_zero(mask);
  }
#endif
  while (at != end && !is_special(*at)) ++at;
  return at;
}

// The four hexadecimal digits after "\u", or -1.
std::int32_t hex4(std::string_view text) noexcept {
  if (text.size() < 4) return -1;
  std::uint16_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, value, 16);
  return error == std::errc() && end == text.data() + 4 ? value : -1;
}

char simple_escape(char c) noexcept {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

// The length of the escape at the start of `text`, or 0 where there is none.
std::size_t escape_length(std::string_view text) noexcept {
  if (text[0] != '\\' || text.size() < 2) return 0;
  if (text[1] == 'u') return hex4(text.substr(2)) < 0 ? 0 : 6;
  return simple_escape(text[1]) == '\0' ? 0 : 2;
}

// Appends the code point of the escape whose text after "\u" is `text`. Returns the bytes used, or
// 0.
std::size_t append_unicode(std::string_view text, std::string& out) {
  const std::int32_t first = hex4(text);
  if (first < 0 || (first >= 0xDC00 && first < 0xE000)) return 0;
  std::size_t used = 4;
  auto code_point = static_cast<std::uint32_t>(first);
  if (first >= 0xD800 && first < 0xDC00) {
    const std::int32_t second = text.substr(4).starts_with("\\u") ? hex4(text.substr(6)) : -1;
    if (second < 0xDC00 || second >= 0xE000) return 0;
    code_point = 0x10000U + ((static_cast<std::uint32_t>(first) - 0xD800U) << 10U) +
                 (static_cast<std::uint32_t>(second) - 0xDC00U);
    used = 10;
  }
  std::array<char, 4> bytes{};
  out.append(bytes.data(), write_utf8(code_point, bytes.data()));
  return used;
}

}  // namespace

bool unescape(std::string_view raw, std::string& out) {
  out.clear();
  while (true) {
    const std::size_t backslash = raw.find('\\');
    out.append(raw, 0, backslash);
    if (backslash == std::string_view::npos) return true;
    raw.remove_prefix(backslash + 1);
    if (raw.starts_with('u')) {
      const std::size_t used = append_unicode(raw.substr(1), out);
      if (used == 0) return false;
      raw.remove_prefix(1 + used);
    } else {
      const char plain = raw.empty() ? '\0' : simple_escape(raw[0]);
      if (plain == '\0') return false;
      out += plain;
      raw.remove_prefix(1);
    }
  }
}

bool JsonScanner::string(JsonString& out) noexcept {
  if (!take('"')) return false;
  const char* const begin = at_;
  out.has_escapes = false;
  while (true) {
    at_ = find_special(at_, end_);
    if (at_ == end_) return false;
    if (*at_ == '"') break;
    const std::size_t length = escape_length({at_, static_cast<std::size_t>(end_ - at_)});
    if (length == 0) return false;
    out.has_escapes = true;
    at_ += length;
  }
  out.raw = {begin, static_cast<std::size_t>(at_ - begin)};
  ++at_;
  return true;
}

bool JsonScanner::digits() noexcept {
  const char* const begin = at_;
  while (at_ != end_ && is_digit(*at_)) ++at_;
  return at_ != begin;
}

bool JsonScanner::number() noexcept {
  take('-');
  if (!take('0') && !digits()) return false;
  if (take('.') && !digits()) return false;
  if (take('e') || take('E')) {
    if (!take('+')) take('-');
    if (!digits()) return false;
  }
  return true;
}

bool JsonScanner::word(std::string_view expected) noexcept {
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  if (!rest.starts_with(expected)) return false;
  at_ += expected.size();
  return true;
}

bool JsonScanner::container(char close, unsigned depth) noexcept {
  skip_spaces();
  if (take(close)) return true;
  do {
    skip_spaces();
    JsonString ignored;
    if (close == '}') {
      if (!string(ignored)) return false;
      skip_spaces();
      if (!take(':')) return false;
      skip_spaces();
    }
    if (value(ignored, depth) == JsonType::kBroken) return false;
    skip_spaces();
  } while (take(','));
  return take(close);
}

JsonType JsonScanner::value(JsonString& text, unsigned depth) noexcept {
  if (at_ == end_) return JsonType::kBroken;
  const char* const begin = at_;
  const auto checked = [](bool is_good, JsonType type) {
    return is_good ? type : JsonType::kBroken;
  };
  switch (*at_) {
    case '"':
      return checked(string(text), JsonType::kString);
    case 't':
      text = {{begin, 4}, false};
      return checked(word("true"), JsonType::kTrue);
    case 'f':
      text = {{begin, 5}, false};
      return checked(word("false"), JsonType::kFalse);
    case 'n':
      return checked(word("null"), JsonType::kNull);
    case '{':
    case '[': {
      const char close = *at_ == '{' ? '}' : ']';
      ++at_;
      return checked(depth < kMaxDepth && container(close, depth + 1), JsonType::kContainer);
    }
    default: {
      if (!number()) return JsonType::kBroken;
      text = {{begin, static_cast<std::size_t>(at_ - begin)}, false};
      return JsonType::kNumber;
    }
  }
}

}  // namespace bloomery
