// What the reducers of a job wrote, on this machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "bloomery/result.h"
#include "engines/hadoop/trailers.h"

namespace bloomery::hadoop {

// Calls use(letter) for every record of the part files in `folder`. Fails unless each of
// `reducers` reducers has sent all that its trailer says.
Result<void> each_letter(const std::string& folder, std::uint64_t job, std::uint32_t reducers,
                         const std::function<Result<void>(const Letter&)>& use);

}  // namespace bloomery::hadoop
