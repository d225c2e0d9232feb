// A tally as text, for tasks that are processes of their own.
#pragma once

#include <string>
#include <string_view>

#include "bloomery/result.h"
#include "parse/tally.h"

namespace bloomery {

// One line of JSON.
[[nodiscard]] std::string tally_to_json(const Tally& tally);
// Fails for a text that tally_to_json() does not give.
Result<Tally> tally_from_json(std::string_view text);

}  // namespace bloomery
