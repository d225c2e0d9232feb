#include "parse/check_text.h"

#include <algorithm>
#include <cstddef>

#include "base/error.h"
#include "parse/sample.h"

namespace bloomery {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string_view without_space(std::string_view text) noexcept {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text;
}

bool is_array_of_objects(std::string_view text) noexcept {
  return text.starts_with('[') && without_space(text.substr(1)).starts_with('{');
}

// Its first line does not end it.
bool is_object_on_lines(std::string_view text) noexcept {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with('{')) return false;
  const std::size_t last = text.substr(0, end).find_last_not_of(kSpace);
  return text[last] != '}' && without_space(text.substr(1)).starts_with('"');
}

}  // namespace

Result<void> check_line_ends(std::string_view text, std::string_view name) {
  const bool has_lines = text.find('\n') != std::string_view::npos;
  if (has_lines || std::ranges::count(text, '\r') < 2) return {};
  return make_error(ErrorCode::kUnsupported,
                    "{}: its lines end with CR and there is no LF, so it would be one record; pipe "
                    "it in: tr '\\r' '\\n' < FILE | bloomery ... -",
                    escaped(name));
}

Result<void> check_json_lines(std::string_view text, std::string_view name) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text = without_space(text);
  const bool is_array = is_array_of_objects(text);
  if (!is_array && !is_object_on_lines(text)) return {};
  return make_error(ErrorCode::kUnsupported,
                    "{}: is {}, and JSON needs one object a line; pipe it in: jq -c {} FILE | "
                    "bloomery ... -",
                    escaped(name), is_array ? "a JSON array" : "a JSON object on several lines",
                    is_array ? "'.[]'" : ".");
}

}  // namespace bloomery
