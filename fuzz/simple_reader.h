// What KeyReader should give for a delimited text, by the simple parser.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parse/shape.h"
#include "parse/tally.h"
#include "simple_csv.h"

namespace bloomery {

struct SimpleReading {
  std::vector<std::pair<std::string, std::string>>
      keys;  // key and group, by columns 0 and 1 of what is wanted
  FileTally tally;
};

// Group by a plain column. Categories that need more than one line to tell (truncated last,
// repeated header) are counted as KeyReader counts them.
inline SimpleReading simple_read(std::string_view text, const FileShape& shape) {
  SimpleReading reading;
  const auto is_missing = [](const std::string& field) { return field.empty() || field == "\\N"; };
  const auto records = simple_records(text);
  bool is_before_header = shape.layout.has_header;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string& record = records[i];
    FileTally& tally = reading.tally;
    const auto reject = [&](Reject category) {
      ++tally.rejected[static_cast<std::size_t>(category)];
    };
    ++tally.read;
    if (record.empty()) {
      ++tally.blank;
      continue;
    }
    if (is_before_header) {
      is_before_header = false;
      ++tally.header;
      continue;
    }
    const auto fields = simple_fields(record, shape.layout.delimiter, shape.layout.quotes);
    const bool is_cut = i + 1 == records.size() && !text.ends_with('\n');
    if (!fields) {
      reject(Reject::kBrokenQuoting);
    } else if (shape.layout.has_header && record == shape.header) {
      reject(Reject::kRepeatedHeader);
    } else if (fields->size() != shape.fields) {
      reject(is_cut && fields->size() < shape.fields ? Reject::kTruncatedLast
                                                     : Reject::kFieldCount);
    } else if (is_missing((*fields)[shape.wanted[0]]) || is_missing((*fields)[shape.wanted[1]])) {
      ++tally.missing;
    } else {
      ++tally.used;
      reading.keys.emplace_back((*fields)[shape.wanted[0]], (*fields)[shape.wanted[1]]);
    }
  }
  return reading;
}

}  // namespace bloomery
