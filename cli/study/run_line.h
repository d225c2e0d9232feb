// The line of one run (docs/schema/study.json), from what its commands printed.
#pragma once

#include <string>

#include "cli/output/json.h"

namespace bloomery::cli {

// What `build --json` said, less what the study measures by a better way.
void add_build(Json& line, const Json& built);

// One row a group: what was built and what verify counted, which may be null.
[[nodiscard]] Json groups_json(const Json& built, const Json& verified);

[[nodiscard]] Json machine_json();
[[nodiscard]] Json versions_json();
// UTC, as "2026-11-15T14:00:00Z".
[[nodiscard]] std::string now_text();

}  // namespace bloomery::cli
