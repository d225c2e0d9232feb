// Reads Arrow batches on threads, as run_tasks() reads files: each thread is a task of its own that
// takes the next batch when it is done with the last.
#pragma once

#include <string>

#include "engines/threads/run_tasks.h"
#include "input/arrow_batches.h"

namespace bloomery {

// Requires run.job->batches.
Result<Tally> run_batches(const TaskRun& run, const MakeWork& make_work);

// "3 columns".
[[nodiscard]] std::string describe_columns(const ArrowSchema& schema);

}  // namespace bloomery
