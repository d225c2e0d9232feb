// Whether two names are those of one file.
#pragma once

#include <string>
#include <vector>

#include "bloomery/result.h"

namespace bloomery {

// Fails for a file that is named twice, also by different paths; `what` says what it would count:
// "records". Pipes and what is not there are told apart by their names alone.
Result<void> check_named_once(const std::vector<std::string>& paths, std::string_view what);

}  // namespace bloomery
