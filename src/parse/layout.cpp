#include "parse/layout.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.h"

namespace bloomery {
namespace {

struct NamedDelimiter {
  std::string_view name;
  char byte;
};
constexpr std::array kDelimiters{
    NamedDelimiter{"tab", '\t'}, NamedDelimiter{"comma", ','}, NamedDelimiter{"semicolon", ';'},
    NamedDelimiter{"pipe", '|'}, NamedDelimiter{"space", ' '}, NamedDelimiter{"\\t", '\t'},
};

// The number that is the whole of `text`.
template <typename T>
std::optional<T> whole_number(std::string_view text, int base = 10) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The length of the quoted name at the start of `text`, quotes included; 0 when it does not end.
std::size_t quoted_length(std::string_view text) noexcept {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '"') continue;
    if (i + 1 < text.size() && text[i + 1] == '"') {
      ++i;
    } else {
      return i + 1;
    }
  }
  return 0;
}

Result<ColumnRef> quoted_column(std::string_view text) {
  if (quoted_length(text) != text.size() || text.size() < 3) {
    return make_error(ErrorCode::kInvalidArgument,
                      "column {}: the quotes do not match; write a quote in a name twice",
                      escaped(text));
  }
  ColumnRef column;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    column.name += text[i];
    if (text[i] == '"') ++i;
  }
  return column;
}

}  // namespace

std::string_view to_string(TextFormat format) noexcept {
  switch (format) {
    case TextFormat::kLines:
      return "lines";
    case TextFormat::kDelimited:
      return "delimited";
    case TextFormat::kJson:
      return "json";
  }
  return "lines";
}

std::string delimiter_name(char delimiter) {
  const auto* const known = std::find_if(kDelimiters.begin(), kDelimiters.end(),
                                         [&](const auto& d) { return d.byte == delimiter; });
  return known != kDelimiters.end() ? std::string(known->name)
                                    : fmt::format("\"{}\"", escaped({&delimiter, 1}));
}

Result<char> parse_delimiter(std::string_view text) {
  std::optional<char> byte;
  for (const NamedDelimiter& known : kDelimiters) {
    if (text == known.name) byte = known.byte;
  }
  if (text.size() == 1) byte = text[0];
  if (text.size() == 4 && text.starts_with("\\x")) {
    if (const auto value = whole_number<std::uint8_t>(text.substr(2), 16)) {
      byte = static_cast<char>(*value);
    }
  }
  if (!byte) {
    return make_error(
        ErrorCode::kInvalidArgument,
        R"(delimiter "{}": must be one byte, tab, comma, semicolon, pipe, space or \xHH)",
        escaped(text));
  }
  if (*byte == '\n' || *byte == '\r' || *byte == '"') {
    return make_error(ErrorCode::kInvalidArgument,
                      "delimiter \"{}\": line ends and double quotes have a meaning of their own",
                      escaped(text));
  }
  return *byte;
}

Result<ColumnRef> parse_column(std::string_view text) {
  if (text.empty())
    return make_error(ErrorCode::kInvalidArgument, "a column needs a name or a number");
  if (text[0] == '"') return quoted_column(text);
  const bool is_digits =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_digits) return ColumnRef{0, std::string(text)};
  const auto number = whole_number<std::uint32_t>(text);
  if (!number || *number == 0 || *number > 1'000'000) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "column {}: numbers go from 1 to 1000000; put a name of digits in double quotes",
        escaped(text));
  }
  return ColumnRef{*number, {}};
}

Result<std::vector<ColumnRef>> parse_columns(std::string_view text) {
  std::vector<ColumnRef> columns;
  while (true) {
    const std::size_t from = text.starts_with('"') ? quoted_length(text) : 0;
    const std::size_t comma = text.find(',', from);
    auto column = parse_column(text.substr(0, comma));
    if (!column) return column.error();
    columns.push_back(std::move(*column));
    if (comma == std::string_view::npos) return columns;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace bloomery
