// What the three jobs have in common: inputs opened, tasks cut, limits known.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engines/job_clock.h"
#include "engines/threads/engine.h"
#include "engines/threads/inputs.h"
#include "engines/threads/run_tasks.h"

namespace bloomery {

struct JobSetup {
  JobClock clock;
  std::vector<OpenInput> inputs;
  std::vector<InputTask> tasks;
  std::unique_ptr<RejectFile> rejects;  // for the first reading: a second one rejects the same
  unsigned threads = 1;
  std::uint64_t memory = 0;
};

// Fills in the facts it knows.
// Fails for a number of tasks that there cannot be.
[[nodiscard]] Result<void> check_task_options(const TaskOptions& options);
Result<JobSetup> set_up(const JobInput& input, const TaskOptions& options, JobFacts& facts);

// How many tasks read_inputs() will run.
[[nodiscard]] inline std::size_t task_count(const JobSetup& setup, const JobInput& input) {
  return input.batches ? setup.threads : setup.tasks.size();
}

// Reads the input once, with this work for the tasks.
Result<Tally> read_inputs(JobSetup& setup, const JobInput& input, const MakeWork& work,
                          JobProgress* progress);

void set_step(JobProgress* progress, const char* step);

}  // namespace bloomery
