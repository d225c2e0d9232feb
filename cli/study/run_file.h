// The file of runs: one JSON line each, on disk before the next run begins.
//
//   takes   lines
//   gives   those of an earlier session, so that a study goes on where it was stopped
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "bloomery/result.h"
#include "cli/output/json.h"

namespace bloomery::cli {

class RunFile {
 public:
  // Opens or makes it, and keeps others out until it is closed. What a killed writer left of a line
  // is cut off; a file that holds anything but runs is an error, and left alone.
  static Result<RunFile> open(const std::string& path);

  // The lines that are there, for looking: nothing is made, changed or locked, and none can be
  // added. A file that is not there has none.
  static Result<RunFile> look(const std::string& path);

  // Written and flushed to the disk when it returns. Where it fails, the file is as it was.
  Result<void> append(const Json& line);
  [[nodiscard]] const std::vector<Json>& lines() const noexcept { return lines_; }

 private:
  RunFile() = default;
  // The bytes that are kept; the rest is what a killed writer left of a line.
  Result<std::size_t> take(std::string_view text);
  Result<void> put(std::string_view text);

  std::string path_;
  File file_;
  std::vector<Json> lines_;
};

struct JsonLine {
  std::size_t number = 0;  // from 1
  Json value;
};

// The JSON lines of a text; `name` is for messages.
Result<std::vector<JsonLine>> parse_lines(std::string_view text, const std::string& name);

// Where a line begins at the end of `text` that a study was writing when it was stopped; the size
// of the text if there is none.
[[nodiscard]] std::size_t torn_line(std::string_view text);

// A whole file; "-" is standard input.
Result<std::string> read_text(const std::string& path);

}  // namespace bloomery::cli
