#include "parse/sample.h"

#include <algorithm>

#include "parse/csv_field.h"
#include "parse/mark_index.h"
#include "split/record_end.h"

namespace bloomery {

std::vector<SampleRecord> first_records(std::string_view text, std::size_t count, bool multiline,
                                        bool is_whole) {
  std::vector<SampleRecord> records;
  std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  while (begin < text.size() && records.size() < count) {
    std::size_t length = first_record_end(text.substr(begin), multiline);
    if (length == kNoEnd && !is_whole) break;
    if (length == kNoEnd) length = text.size() - begin;
    std::string_view record = text.substr(begin, length);
    if (record.ends_with('\n')) record.remove_suffix(1);
    if (record.ends_with('\r')) record.remove_suffix(1);
    if (!record.empty()) records.push_back({begin, record});
    begin += length;
  }
  return records;
}

std::optional<std::vector<std::string>> split_fields(std::string_view record,
                                                     const Layout& layout) {
  // With the longest line end again, so that a CR before it is not taken for a part of it.
  const std::string line = std::string(record) + "\r\n";
  MarkIndex index;
  index.build(line, {layout.delimiter, layout.quotes, layout.multiline}, true);
  if (!index.broken().empty()) return std::nullopt;
  std::vector<std::string> fields;
  std::string scratch;
  const auto marks = index.marks();
  for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
    const std::uint32_t begin = marks[i] + 1;
    const std::size_t end = std::min<std::size_t>(marks[i + 1], record.size());
    const std::string_view field = record.substr(begin, end - begin);
    fields.emplace_back(layout.quotes ? unquoted(field, scratch) : field);
  }
  return fields;
}

}  // namespace bloomery
