// The line of one run (docs/schema/study.json), from what its commands printed.
#pragma once

#include <string>

#include "bloomery/result.h"
#include "cli/output/json.h"

namespace bloomery::cli {

// Whether a line has what studies and reports take from it, of the right type: it may have been
// changed by hand. "has no "plan"", "settings: ..."
Result<void> check_run_line(const Json& line);

// What `build --json` said, less what the study measures by a better way.
void add_build(Json& line, const Json& built);

// One row a group: what was built and what verify counted, which may be null. Fails where they are
// not of the same groups.
Result<Json> groups_json(const Json& built, const Json& verified);

[[nodiscard]] Json machine_json();
[[nodiscard]] Json versions_json();
// UTC, as "2026-11-15T14:00:00Z".
[[nodiscard]] std::string now_text();

}  // namespace bloomery::cli
