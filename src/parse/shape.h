// What one file's text looks like: layout, header, and where the wanted columns are.
//
//   takes   the beginning of the text, what the user said about it, and the columns that are wanted
//   gives   a FileShape, to the reader, and to tasks that see only a part of the file
//
// Made once a file, before its ranges are read, so that every task expects the same number of
// fields and knows the header when it sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "parse/layout.h"

namespace bloomery {

// How much of a text shape_of() should see. A header must fit in it.
inline constexpr std::size_t kSampleBytes = std::size_t{256} << 10U;
inline constexpr std::uint64_t kNoHeader = UINT64_MAX;

struct FileShape {
  Layout layout;
  // Of every record; 0 for JSON, where any record has its own.
  std::uint32_t fields = 0;
  // The wanted columns, in the order they were asked for: their places from 0, and for JSON their
  // names.
  std::vector<std::uint32_t> wanted;
  std::vector<std::string> wanted_names;
  // The header record as it stands, and where; kNoHeader if there is none.
  std::string header;
  std::uint64_t header_offset = kNoHeader;
  // What the header names.
  std::vector<std::string> columns;
  // There is no header, but the first record has no number where the second has some.
  bool may_have_header = false;

  friend bool operator==(const FileShape&, const FileShape&) = default;
};

// A sample for shape_of(): kSampleBytes, or more where the first record is longer and may be.
// `read(n)` gives the first n bytes of the text, or all of it where it is shorter.
template <typename Read>
Result<std::string> read_sample(std::uint64_t max_line, Read read) {
  for (std::size_t wanted = kSampleBytes;; wanted *= 2) {
    Result<std::string> sample = read(wanted);
    if (!sample || sample->size() < wanted || wanted > max_line ||
        sample->find('\n') != std::string::npos) {
      return sample;
    }
  }
}

// `text` is what read_sample() gave; `name` is
// for messages. No `wanted` column: plain lines. Fails when a column is not there, and then lists
// those that are.
Result<FileShape> shape_of(std::string_view text, std::span<const ColumnRef> wanted,
                           const LayoutOptions& options, std::string_view name);

// Fails unless the two files have the same columns.
Result<void> check_same_columns(const FileShape& first, std::string_view first_name,
                                const FileShape& other, std::string_view other_name);

// "tab-separated, header, 3 columns": what was found, for people.
[[nodiscard]] std::string describe(const FileShape& shape);

// To names and texts and back, for tasks on other machines.
[[nodiscard]] std::map<std::string, std::string, std::less<>> to_text(const FileShape& shape);
Result<FileShape> shape_from_text(const std::map<std::string, std::string, std::less<>>& text);

}  // namespace bloomery
