// Runs the tasks of a job on threads, each with a KeyReader of its own, and adds up their tallies.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "engines/job_clock.h"
#include "engines/reject_file.h"
#include "engines/task_work.h"
#include "engines/threads/engine.h"
#include "engines/threads/inputs.h"
#include "group/key_reader.h"

namespace bloomery {

// Makes the work of task number i.
using MakeWork = std::function<std::unique_ptr<TaskWork>(std::size_t i)>;

struct TaskRun {
  const JobInput* job = nullptr;
  std::vector<OpenInput>* inputs = nullptr;
  const std::vector<InputTask>* tasks = nullptr;
  unsigned threads = 1;
  JobProgress* progress = nullptr;  // may be null
  RejectFile* rejects = nullptr;    // closed at the end; may be null
};

// Reads every task's records. The first error ends the run; with --strict, the first in the input.
// Fails also when there are more bad records than the policy allows, or no used one. The tally is
// of this run alone.
Result<Tally> run_tasks(const TaskRun& run, const MakeWork& make_work);

}  // namespace bloomery
