#include "split/record_end.h"

#include <algorithm>

namespace bloomery {

std::size_t first_record_end(std::string_view text, bool multiline) noexcept {
  bool is_inside = false;
  std::size_t from = 0;
  while (true) {
    const std::size_t line_feed = text.find('\n', from);
    if (line_feed == std::string_view::npos) return kNoEnd;
    const std::string_view line = text.substr(from, line_feed - from);
    if (multiline && std::count(line.begin(), line.end(), '"') % 2 != 0) is_inside = !is_inside;
    if (!is_inside) return line_feed + 1;
    from = line_feed + 1;
  }
}

std::size_t last_record_end(std::string_view text, bool multiline) noexcept {
  if (!multiline) {
    const std::size_t line_feed = text.rfind('\n');
    return line_feed == std::string_view::npos ? kNoEnd : line_feed + 1;
  }
  std::size_t last = kNoEnd;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = first_record_end(text.substr(begin), true);
    if (end == kNoEnd) return last;
    begin += end;
    last = begin;
  }
}

}  // namespace bloomery
