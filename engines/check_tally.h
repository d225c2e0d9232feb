// Whether a job may go on with the records it has read.
#pragma once

#include "bloomery/result.h"
#include "engines/jobs.h"
#include "parse/tally.h"

namespace bloomery {

// Fails when a record got lost, when there are more bad records than the policy allows, and when
// none was used.
Result<void> check_tally(const Tally& tally, const RejectPolicy& policy);

}  // namespace bloomery
