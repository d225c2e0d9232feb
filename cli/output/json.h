// JSON in the order it was put together.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "parse/json_bytes.h"

namespace bloomery::cli {

using Json = nlohmann::ordered_json;

// One line. `is_ascii`: everything beyond ASCII as \u escapes, so that a terminal obeys nothing.
[[nodiscard]] std::string to_line(const Json& value, bool is_ascii);

// One text for values that differ in the order of their members alone, as files that another
// program has sorted.
[[nodiscard]] std::string sorted_text(const Json& value);

}  // namespace bloomery::cli
