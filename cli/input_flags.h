// The flags that say what to read and how to work, for plan, build, verify and query.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "cli/command.h"
#include "engines/jobs.h"

namespace bloomery::cli {

struct InputOptions {
  std::vector<std::string> files;
  RecipeText recipe;  // "key", "group", "group-range", "key-type", as far as they were given
  LayoutOptions layout;
  std::uint64_t max_line = kDefaultMaxLine;
  std::uint64_t max_groups = kDefaultMaxGroups;
  RejectPolicy rejects;
};

// --key and how records are written in a text.
[[nodiscard]] std::vector<Flag> layout_flags(InputOptions& options);
// --group and its kin.
[[nodiscard]] std::vector<Flag> group_flags(InputOptions& options);
// --strict, --lenient, --max-bad, --rejects.
[[nodiscard]] std::vector<Flag> reject_flags(InputOptions& options);
[[nodiscard]] Argument file_argument(InputOptions& options);

// --threads, --memory and --tmp; the last two flags of tasks only where `has_tasks`.
[[nodiscard]] std::vector<Flag> task_flags(TaskOptions& options, bool has_tasks);

// What an engine reads besides files of this machine: addresses such as hdfs://, or also names that
// are not here.
enum class FarInputs : std::uint8_t { kNone, kAddresses, kAllNames };

// Paths expanded, standard input where there is none. What `known` says about keys and groups holds
// where no flag says otherwise: the recipe of a bank or of a plan. Far inputs are left as they are.
Result<JobInput> job_input(const InputOptions& options, const RecipeText& known = {},
                           FarInputs far = FarInputs::kNone);

// Whether two paths name one file, also where it is not there yet.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

// The files that a job writes: `output`, unless it is empty, and --rejects. Fails where one of them
// is an input, or both are one file: -f is to replace results, never data.
Result<std::vector<std::string>> output_files(const JobInput& input, const std::string& output);

}  // namespace bloomery::cli
