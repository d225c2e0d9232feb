// What partials of a group weigh, as bytes.
#pragma once

#include <string>
#include <string_view>

#include "bloomery/result.h"
#include "partial/strategy.h"

namespace bloomery::hadoop {

[[nodiscard]] std::string encode(const GroupBytes& weight);
Result<GroupBytes> decode_weight(std::string_view bytes);

}  // namespace bloomery::hadoop
