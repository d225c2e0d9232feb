#include "engines/threads/inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace bloomery {
namespace {

// Small enough that threads finish together, large enough to be worth a task.
constexpr std::uint64_t kTasksPerThread = 4;
constexpr std::uint64_t kMinRangeBytes = std::uint64_t{256} << 10U;

bool can_cut(const OpenInput& input) {
  return input.input.is_mapped() && !input.shape.layout.multiline;
}

// How many of `tasks` tasks fall to an input, by its share of the bytes.
std::uint64_t tasks_for(std::uint64_t size, std::uint64_t total, std::uint64_t tasks) {
  if (total == 0) return 1;
  const double share = static_cast<double>(size) / static_cast<double>(total);
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::round(share * static_cast<double>(tasks))));
}

std::vector<ByteRange> ranges_of(const OpenInput& input, const TaskOptions& options,
                                 std::uint64_t total, unsigned threads, bool is_only) {
  const std::uint64_t size = input.input.bytes().size();
  if (options.lines_per_task) {
    return cut_lines(input.input.bytes(), *options.lines_per_task, kMaxTasks + 1);
  }
  if (options.tasks) {
    return cut_evenly(size, is_only ? *options.tasks : tasks_for(size, total, *options.tasks));
  }
  const std::uint64_t wanted = threads == 1 ? 1 : tasks_for(size, total, threads * kTasksPerThread);
  return cut_evenly(size, std::clamp<std::uint64_t>(size / kMinRangeBytes, 1, wanted));
}

}  // namespace

Result<std::vector<OpenInput>> open_inputs(const JobInput& job, JobFacts& facts) {
  std::vector<OpenInput> inputs;
  for (const std::string& path : job.paths) {
    auto opened = open_input(job, path);
    if (!opened) return opened.error();
    if (!inputs.empty()) {
      const auto same = check_same_columns(inputs.front().shape, inputs.front().input.name(),
                                           opened->shape, opened->input.name());
      if (!same) return same.error();
    }
    facts.inputs.push_back(describe(*opened));
    inputs.push_back(*std::move(opened));
  }
  return inputs;
}

std::vector<InputTask> cut_tasks(const std::vector<OpenInput>& inputs, const TaskOptions& options,
                                 unsigned threads, JobFacts& facts) {
  std::uint64_t total = 0;
  for (const OpenInput& input : inputs) total += can_cut(input) ? input.input.bytes().size() : 0;
  std::vector<InputTask> tasks;
  for (std::uint32_t file = 0; file < inputs.size(); ++file) {
    if (!can_cut(inputs[file])) {
      tasks.push_back({file, std::nullopt});
      continue;
    }
    for (const ByteRange range :
         ranges_of(inputs[file], options, total, threads, inputs.size() == 1)) {
      tasks.push_back({file, range});
    }
  }
  facts.tasks = tasks.size();
  if ((options.tasks && *options.tasks != tasks.size()) ||
      (options.lines_per_task && !std::all_of(inputs.begin(), inputs.end(), can_cut))) {
    facts.tasks_note =
        "a compressed, piped or multiline input is one task; of several files each has its share";
  }
  return tasks;
}

bool can_reread(const std::vector<OpenInput>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(),
                     [](const OpenInput& input) { return input.input.can_reread(); });
}

}  // namespace bloomery
