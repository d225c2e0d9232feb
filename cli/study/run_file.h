// The file of runs: one JSON line each, on disk before the next run begins.
//
//   takes   lines
//   gives   those of an earlier session, so that a study goes on where it was stopped
#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "bloomery/result.h"
#include "cli/output/json.h"

namespace bloomery::cli {

class RunFile {
 public:
  // Opens or makes it, and keeps others out until it is closed. What a killed writer left of a line
  // is cut off; any other line that is not JSON is an error.
  static Result<RunFile> open(const std::string& path);

  // One that has no lines and takes none.
  [[nodiscard]] static RunFile empty() { return {}; }

  // Written and flushed to the disk when it returns.
  Result<void> append(const Json& line);
  [[nodiscard]] const std::vector<Json>& lines() const noexcept { return lines_; }

 private:
  RunFile() = default;

  std::string path_;
  File file_;
  std::vector<Json> lines_;
};

// The JSON lines of a text; `name` is for messages.
Result<std::vector<Json>> parse_lines(std::string_view text, const std::string& name);

// A whole file; "-" is standard input.
Result<std::string> read_text(const std::string& path);

}  // namespace bloomery::cli
