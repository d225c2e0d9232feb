// The inputs of a job, opened and understood, and the tasks they are cut into.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engines/jobs.h"
#include "engines/open_input.h"
#include "split/ranges.h"

namespace bloomery {

// Work on one part of one input. Without a range: all of an input that cannot be cut.
struct InputTask {
  std::uint32_t file = 0;
  std::optional<ByteRange> range;
};

// Fails for an input that is not there or not text, and for files whose columns differ.
Result<std::vector<OpenInput>> open_inputs(const JobInput& job, JobFacts& facts);

// More is a slip of the finger: each task costs memory before it reads a byte.
inline constexpr std::uint64_t kMaxTasks = 1'000'000;

// As many tasks as asked for, or some for each thread; says in `facts` how many and why.
// Of more than kMaxTasks, some.
std::vector<InputTask> cut_tasks(const std::vector<OpenInput>& inputs, const TaskOptions& options,
                                 unsigned threads, JobFacts& facts);

// Whether all inputs can be read a second time.
[[nodiscard]] bool can_reread(const std::vector<OpenInput>& inputs);

}  // namespace bloomery
