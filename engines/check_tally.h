// Whether a job may go on with the records it has read.
#pragma once

#include <span>
#include <string>

#include "bloomery/result.h"
#include "engines/jobs.h"
#include "parse/tally.h"

namespace bloomery {

// Fails when a record got lost, when there are more bad records than the policy allows, and when
// none was used. `names` are those of the inputs.
Result<void> check_tally(const Tally& tally, const RejectPolicy& policy,
                         std::span<const std::string> names = {});

}  // namespace bloomery
