// Texts that look like records and are not, said before every record of them is rejected.
#pragma once

#include <string_view>

#include "bloomery/result.h"

namespace bloomery {

// Fails for a text whose lines end with CR alone. `text` is the beginning of a file.
Result<void> check_line_ends(std::string_view text, std::string_view name);

// Fails for one JSON document, an array or an object on several lines, where a record is a line.
Result<void> check_json_lines(std::string_view text, std::string_view name);

}  // namespace bloomery
