#include "cli/input_flags.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "cli/values.h"
#include "engines/hadoop/engine.h"
#include "input/input.h"

namespace bloomery::cli {
namespace {

constexpr const char* kInput = "Input";
constexpr const char* kGroups = "Groups";
constexpr const char* kBad = "Bad records";
constexpr const char* kWork = "Work";

// A task cannot read a record within less.
constexpr std::uint64_t kLeastMemory = std::uint64_t{1} << 20U;

Take into_text(RecipeText& texts, const char* name) {
  return [&texts, name](const std::string& text) -> Result<void> {
    texts[name] = text;
    // Whatever is wrong with one of them shows here, with its flag; how they fit together, later.
    const bool stands_alone = std::string_view(name) != "group-range";
    if (stands_alone && std::string_view(name) == "group") {
      const auto group = parse_group(text);
      if (!group) return group.error();
    }
    return {};
  };
}

Take into_choice(std::optional<bool>& to, bool value) {
  return [&to, value](const std::string&) -> Result<void> {
    to = value;
    return {};
  };
}

Result<TextFormat> parse_format(std::string_view text) {
  if (text == "lines") return TextFormat::kLines;
  return text == "json" ? TextFormat::kJson : TextFormat::kDelimited;
}

// Those of this machine, expanded; and far ones as they are.
Result<std::vector<std::string>> paths_of(std::vector<std::string> files, FarInputs reads) {
  if (files.empty()) files.emplace_back("-");
  std::vector<std::string> far;
  for (const std::string& file : files) {
    const bool is_far = hadoop::is_remote(file);
    if (is_far && reads == FarInputs::kNone) {
      return make_error(ErrorCode::kUnsupported,
                        "{}: only --engine hadoop reads it, and Parquet --engine spark",
                        printable_path(file));
    }
    if (is_far || (reads == FarInputs::kAllNames && !expand_paths({file}))) far.push_back(file);
  }
  std::erase_if(files, [&](const std::string& file) { return std::ranges::count(far, file) > 0; });
  if (files.empty()) return far;
  auto paths = expand_paths(files);
  if (paths) paths->insert(paths->end(), far.begin(), far.end());
  return paths;
}

Take into_positive(std::optional<std::uint64_t>& to) {
  return into_parsed(to, [](std::string_view text) -> Result<std::uint64_t> {
    auto count = parse_count(text);
    if (count && *count == 0) return make_error(ErrorCode::kInvalidArgument, "must be at least 1");
    return count;
  });
}

}  // namespace

bool is_same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  return fs::weakly_canonical(fs::absolute(a, error), error) ==
         fs::weakly_canonical(fs::absolute(b, error), error);
}

std::vector<Flag> layout_flags(InputOptions& options) {
  return {
      {.names = "--key",
       .value = "COLUMN",
       .help = "column of the key: a name, or a number from 1; several with commas",
       .fallback = "the whole line",
       .section = kInput,
       .take = into_text(options.recipe, "key"),
       .is_basic = true},
      {.names = "--key-type",
       .value = "TYPE",
       .help = "text, or u64 or i64 for numbers as 8 bytes",
       .fallback = "text",
       .section = kInput,
       .choices = {"text", "u64", "i64"},
       .take = into_text(options.recipe, "key-type")},
      {.names = "--input-format",
       .value = "FORMAT",
       .help = "lines, delimited or json",
       .fallback = "by content",
       .section = kInput,
       .choices = {"lines", "delimited", "json"},
       .take = into_parsed(options.layout.format, parse_format)},
      {.names = "--delimiter",
       .value = "BYTE",
       .help = "tab, comma, semicolon, pipe, space, one byte, or \\xHH",
       .fallback = "by content",
       .section = kInput,
       .take = into_parsed(options.layout.delimiter, parse_delimiter)},
      {.names = "--header",
       .help = "the first record names the columns",
       .section = kInput,
       .take = into_choice(options.layout.has_header, true)},
      {.names = "--no-header",
       .help = "the first record is data",
       .section = kInput,
       .take = into_choice(options.layout.has_header, false),
       .excludes = {"--header"}},
      {.names = "--quotes",
       .help = "fields may stand in double quotes",
       .section = kInput,
       .take = into_choice(options.layout.quotes, true)},
      {.names = "--no-quotes",
       .help = "a double quote is a byte like any other",
       .section = kInput,
       .take = into_choice(options.layout.quotes, false),
       .excludes = {"--quotes"}},
      {.names = "--multiline",
       .help = "quoted fields may hold line ends; one task a file",
       .section = kInput,
       .take = into(options.layout.multiline)},
      {.names = "--max-line",
       .value = "SIZE",
       .help = "longer records are rejected, not held",
       .fallback = "1MiB",
       .section = kInput,
       .take = into_parsed(options.max_line, parse_size)},
  };
}

std::vector<Flag> group_flags(InputOptions& options) {
  return {
      {.names = "--group",
       .value = "EXPR",
       .help = "COLUMN, round(COLUMN), floor(COLUMN), prefix(COLUMN,N) or none",
       .fallback = "none",
       .section = kGroups,
       .take = into_text(options.recipe, "group"),
       .is_basic = true},
      {.names = "--group-range",
       .value = "A..B",
       .help = "reject records with groups outside, as in 1..10",
       .section = kGroups,
       .take = into_text(options.recipe, "group-range")},
      {.names = "--max-groups",
       .value = "N",
       .help = "stop at more groups: they may be the keys",
       .fallback = "100000",
       .section = kGroups,
       .take = into_count(options.max_groups, 1)},
  };
}

std::vector<Flag> reject_flags(InputOptions& options) {
  return {
      {.names = "--strict",
       .help = "stop at the first bad record",
       .section = kBad,
       .take = into(options.rejects.is_strict)},
      {.names = "--lenient",
       .help = "take any number of bad records",
       .section = kBad,
       .take = into(options.rejects.is_lenient),
       .excludes = {"--strict"}},
      {.names = "--max-bad",
       .value = "SHARE",
       .help = "stop when more of the records are bad than this",
       .fallback = "0.1%",
       .section = kBad,
       .take = into_parsed(options.rejects.max_bad, parse_share)},
      {.names = "--rejects",
       .value = "FILE",
       .help = "all bad records as JSON lines, each cut at 64 KiB",
       .section = kBad,
       .take = into_parsed(options.rejects.rejects,
                           [](const std::string& text) -> Result<std::string> { return text; }),
       .complete = Complete::kFile},
  };
}

Argument file_argument(InputOptions& options) {
  return {.name = "FILE",
          .help = "text, gzip or zstd files, or patterns; - is standard input",
          .min = 0,
          .max = SIZE_MAX,
          .take = into(options.files)};
}

std::vector<Flag> task_flags(TaskOptions& options, bool has_tasks) {
  std::vector<Flag> flags{
      {.names = "-T,--threads",
       .value = "N",
       .help = "threads to use",
       .fallback = "all",
       .section = kWork,
       .take = into_parsed(options.threads,
                           [](std::string_view text) -> Result<unsigned> {
                             const auto count = parse_count(text);
                             if (count && *count <= 4096) return static_cast<unsigned>(*count);
                             return make_error(ErrorCode::kInvalidArgument,
                                               "must be from 0 (all) to 4096");
                           })},
      {.names = "-M,--memory",
       .value = "SIZE",
       .help = "memory to stay within, as 4G; mapped files do not count",
       .fallback = "4/5 of what there is",
       .section = kWork,
       .take = into_parsed(options.memory,
                           [](std::string_view text) -> Result<std::uint64_t> {
                             auto size = parse_size(text);
                             if (size && *size < kLeastMemory) {
                               return make_error(ErrorCode::kInvalidArgument,
                                                 "must be at least 1MiB");
                             }
                             return size;
                           })},
      {.names = "--tmp",
       .value = "FOLDER",
       .help = "where what exceeds --memory goes",
       .fallback = "/tmp",
       .section = kWork,
       .take = into(options.tmp),
       .complete = Complete::kFile},
  };
  if (!has_tasks) return flags;
  flags.push_back({.names = "--tasks",
                   .value = "N",
                   .help = "cut the input into this many tasks",
                   .fallback = "as fits the threads",
                   .section = kWork,
                   .take = into_positive(options.tasks)});
  flags.push_back({.names = "--lines-per-task",
                   .value = "N",
                   .help = "cut the input after every N lines",
                   .section = kWork,
                   .take = into_positive(options.lines_per_task)});
  return flags;
}

Result<JobInput> job_input(const InputOptions& options, const RecipeText& known, FarInputs far) {
  JobInput input;
  if (options.files.empty() && ::isatty(STDIN_FILENO) == 1) {
    return make_error(ErrorCode::kInvalidArgument,
                      "FILE: missing; name a file, or - to type the records");
  }
  auto paths = paths_of(options.files, far);
  if (!paths) return paths.error();
  input.paths = std::move(*paths);
  RecipeText texts = known;
  for (const auto& [name, text] : options.recipe) texts[name] = text;
  auto recipe = parse_recipe(texts);
  if (!recipe) return recipe.error();
  input.recipe = std::move(*recipe);
  input.layout = options.layout;
  input.max_line = options.max_line;
  input.max_groups = options.max_groups;
  input.rejects = options.rejects;
  return input;
}

Result<std::vector<std::string>> output_files(const JobInput& input, const std::string& output) {
  std::vector<std::string> files;
  const auto add = [&](std::string_view flag, const std::string& file) -> Result<void> {
    const auto is_file = [&](const std::string& other) { return is_same_file(file, other); };
    const bool is_input = std::ranges::any_of(input.paths, is_file);
    if (is_input || std::ranges::any_of(files, is_file)) {
      return make_error(ErrorCode::kInvalidArgument, "{} {}: is {}; name another file", flag,
                        printable_path(file), is_input ? "an input, too" : "the --output, too");
    }
    files.push_back(file);
    return {};
  };
  if (!output.empty()) {
    if (const auto added = add("--output", output); !added) return added.error();
  }
  if (input.rejects.rejects) {
    if (const auto added = add("--rejects", *input.rejects.rejects); !added) return added.error();
  }
  return files;
}

}  // namespace bloomery::cli
