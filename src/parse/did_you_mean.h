// The name a user most likely meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bloomery {

// The one of `known` that is the fewest edits (a letter put in, left out, changed, or two
// neighbours swapped; case does not count) away from `typed`, if that is near enough to be a slip.
[[nodiscard]] std::optional<std::string> did_you_mean(std::string_view typed,
                                                      std::span<const std::string> known);

}  // namespace bloomery
