// The plan job, which is also the first of a build's two.
#pragma once

#include <vector>

#include "bloomery/result.h"
#include "engines/hadoop/session.h"
#include "plan/plan.h"

namespace bloomery::hadoop {

// Fails also when there are too many bad records.
Result<std::vector<GroupPlan>> plan_with(Session& session, const SizingRequest& sizing,
                                         bool distinct, const JobInput& input);

}  // namespace bloomery::hadoop
