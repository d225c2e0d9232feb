// The threads engine: plan, build and verify on this machine, with nothing to set up.
//
//   takes   inputs, a recipe, and what the user asked for
//   gives   a plan, a bank, or counts; and what became of every record
//
// It cuts ranges and runs the tasks of src/ on threads; it never hashes or sets a bit itself.
// Whatever the number of threads or tasks and the order of the records, the bank is the same to the
// byte.
#pragma once

#include "bloomery/bank.h"
#include "engines/jobs.h"

namespace bloomery {

Result<PlanResult> run_plan(const PlanJob& job, JobProgress* progress = nullptr);
Result<BuildResult> run_build(const BuildJob& job, JobProgress* progress = nullptr);
Result<VerifyResult> run_verify(const Bank& bank, const VerifyJob& job,
                                JobProgress* progress = nullptr);

}  // namespace bloomery
