// A field as it stands between two marks, to the bytes it means.
#pragma once

#include <string>
#include <string_view>

namespace bloomery {

// Takes the quotes off a quoted field and leaves any other as it is. Requires a field of a record
// whose quoting is not broken (mark_index.h), and that has no doubled quotes.
[[nodiscard]] inline std::string_view without_quotes(std::string_view field) noexcept {
  if (field.size() < 2 || field[0] != '"') return field;
  return {field.data() + 1, field.size() - 2};
}

// The same for fields that may have doubled quotes; copies into `scratch` only those that do.
[[nodiscard]] inline std::string_view unquoted(std::string_view field, std::string& scratch) {
  if (field.size() < 2 || field[0] != '"') return field;
  field = without_quotes(field);
  std::size_t quote = field.find('"');
  if (quote == std::string_view::npos) return field;
  scratch.clear();
  while (quote != std::string_view::npos) {
    scratch.append(field, 0, quote + 1);
    field.remove_prefix(quote + 2);
    quote = field.find('"');
  }
  scratch.append(field);
  return scratch;
}

}  // namespace bloomery
