// Steps through JSON text and checks its grammar (RFC 8259). json_record.h is the way to use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery {

enum class JsonType : std::uint8_t { kBroken, kString, kNumber, kTrue, kFalse, kNull, kContainer };

struct JsonString {
  std::string_view raw;  // between the quotes
  bool has_escapes = false;
};

class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) noexcept
      : at_(text.data()), end_(text.data() + text.size()) {}

  void skip_spaces() noexcept {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  }
  // Steps over `c` if it is next.
  bool take(char c) noexcept {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] bool is_at_end() const noexcept { return at_ == end_; }

  // Steps over a string. False when it is broken.
  bool string(JsonString& out) noexcept;
  // Steps over a value and says what it was; `text` is its bytes, for a string those between the
  // quotes.
  JsonType value(JsonString& text, unsigned depth = 0) noexcept;

 private:
  bool container(char close, unsigned depth) noexcept;
  bool number() noexcept;
  bool digits() noexcept;
  bool word(std::string_view expected) noexcept;

  const char* at_;
  const char* end_;
};

// The bytes that `raw`, from JsonScanner::string(), stands for. False for half a surrogate pair,
// which the grammar allows and which is no text.
bool unescape(std::string_view raw, std::string& out);

}  // namespace bloomery
