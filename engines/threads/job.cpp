#include "engines/threads/job.h"

#include "base/error.h"
#include "base/parallel.h"
#include "engines/threads/run_batches.h"

namespace bloomery {

void set_step(JobProgress* progress, const char* step) {
  if (progress != nullptr) progress->step = step;
}

Result<void> check_task_options(const TaskOptions& options) {
  if ((options.tasks && (*options.tasks == 0 || *options.tasks > kMaxTasks)) ||
      (options.lines_per_task && *options.lines_per_task == 0)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--tasks must be from 1 to {}, --lines-per-task at least 1", kMaxTasks);
  }
  return {};
}

Result<JobSetup> set_up(const JobInput& input, const TaskOptions& options, JobFacts& facts) {
  JobSetup setup;
  if (const auto valid = check_task_options(options); !valid) return valid.error();
  if (input.rejects.rejects) {
    auto file = RejectFile::create(
        *input.rejects.rejects, input.rejects.overwrite,
        input.batches ? std::vector<std::string>{"record batches"} : input.paths);
    if (!file) return file.error();
    setup.rejects = *std::move(file);
  }
  setup.threads = thread_count(options.threads);
  setup.memory = options.memory != 0 ? options.memory : default_memory();
  if (input.batches) {
    facts.inputs.push_back({"record batches", describe_columns(input.batches->schema())});
    facts.tasks = setup.threads;
  } else {
    auto inputs = open_inputs(input, facts);
    if (!inputs) return inputs.error();
    setup.inputs = *std::move(inputs);
    setup.tasks = cut_tasks(setup.inputs, options, setup.threads, facts);
  }
  if (setup.tasks.size() > kMaxTasks) {
    return make_error(ErrorCode::kInvalidArgument,
                      "more than {} tasks; take more with --lines-per-task, or less with --tasks",
                      kMaxTasks);
  }
  facts.threads = setup.threads;
  return setup;
}

Result<Tally> read_inputs(JobSetup& setup, const JobInput& input, const MakeWork& work,
                          JobProgress* progress) {
  if (progress != nullptr) {
    std::uint64_t total = 0;
    bool is_known = true;
    for (const OpenInput& opened : setup.inputs) {
      total += opened.input.size().value_or(0);
      is_known = is_known && opened.input.size().has_value();
    }
    progress->bytes = 0;
    progress->records = 0;
    progress->total_bytes = is_known ? total : 0;
  }
  const auto rejects = std::move(setup.rejects);
  const TaskRun run{&input, &setup.inputs, &setup.tasks, setup.threads, progress, rejects.get()};
  return input.batches ? run_batches(run, work) : run_tasks(run, work);
}

}  // namespace bloomery
