// JSON in the order it was put together, and bytes that JSON cannot hold.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bloomery::cli {

using Json = nlohmann::ordered_json;

// Puts bytes under `name`, or, where they are not UTF-8, in base64 under `name`_b64.
void put_bytes(Json& object, const std::string& name, std::string_view bytes);

// One line. `is_ascii`: everything beyond ASCII as \u escapes, so that a terminal obeys nothing.
[[nodiscard]] std::string to_line(const Json& value, bool is_ascii);

}  // namespace bloomery::cli
