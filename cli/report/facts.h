// What a report is made of: the lines that commands wrote, sorted by command.
//
//   takes   JSON lines of study and bench, --json of build and verify, in any order and mixture
//   gives   lists of them; a line of anything else is an error
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "cli/output/json.h"
#include "cli/output/table.h"

namespace bloomery::cli {

struct Facts {
  std::vector<Json> runs;      // bloomery/study
  std::vector<Json> builds;    // bloomery/build
  std::vector<Json> verifies;  // bloomery/verify
  std::vector<Json> benches;   // bloomery/bench

  [[nodiscard]] bool is_empty() const {
    return runs.empty() && builds.empty() && verifies.empty() && benches.empty();
  }
};

// Adds a line, and says to which list. The error says what is wrong with it, not where it is.
using FactList = std::vector<Json> Facts::*;
Result<FactList> add_line(Facts& facts, Json line);

// The bytes under `name`, or in base64 under `name`_b64.
[[nodiscard]] Cell bytes_cell(const Json& object, const std::string& name);

// A median of at least one number.
[[nodiscard]] double median(std::vector<double> numbers);

}  // namespace bloomery::cli
