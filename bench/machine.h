// What the numbers were measured on and with.
#pragma once

#include <vector>

#include "report.h"

namespace bloomery::bench {

[[nodiscard]] std::vector<Fact> machine_facts();

}  // namespace bloomery::bench
