// How records are written in a text, and which columns are wanted from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"

namespace bloomery {

enum class TextFormat : std::uint8_t {
  kLines,      // a record is one field, the whole line
  kDelimited,  // fields between delimiters, quoted or not
  kJson,       // a record is a JSON object; fields have names
};

// "lines", "delimited", "json".
[[nodiscard]] std::string_view to_string(TextFormat format) noexcept;

struct Layout {
  TextFormat format = TextFormat::kLines;
  char delimiter = '\t';
  bool quotes = false;     // RFC 4180: fields may stand in double quotes
  bool multiline = false;  // and hold line ends there
  bool has_header = false;

  friend bool operator==(const Layout&, const Layout&) = default;
};

// What the user said about the text; whatever was not said is taken from the content.
struct LayoutOptions {
  std::optional<TextFormat> format;
  std::optional<char> delimiter;
  std::optional<bool> quotes;
  std::optional<bool> has_header;
  bool multiline = false;
};

// "tab", "comma", "semicolon", "\x01", ...: for messages.
[[nodiscard]] std::string delimiter_name(char delimiter);
// One byte, or "tab", "comma", "semicolon", "pipe", "space", "\t", "\xHH".
Result<char> parse_delimiter(std::string_view text);

// A column as the user named it: by number from 1, or by name.
struct ColumnRef {
  std::uint32_t number = 0;  // 0: by name
  std::string name;

  [[nodiscard]] bool is_number() const noexcept { return number != 0; }
  friend bool operator==(const ColumnRef&, const ColumnRef&) = default;
};

// "tconst", "1", or "1" in double quotes for a column that has that name; a quote inside is
// doubled.
Result<ColumnRef> parse_column(std::string_view text);
// The same, several with commas between them.
Result<std::vector<ColumnRef>> parse_columns(std::string_view text);

}  // namespace bloomery
