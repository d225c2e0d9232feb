// What can be known of a plan before anything runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "cli/commands/commands.h"
#include "cli/frame/parse.h"
#include "cli/hadoop_flags.h"
#include "cli/study/study.h"
#include "cli/study/words.h"
#include "engines/hadoop/child_process.h"

namespace bloomery::cli {
namespace {

// Finding a package takes milliseconds; starting Spark to hear that there is none takes seconds.
Result<void> check_python(const std::string& python) {
  constexpr const char* kLook =
      "import importlib.util as u, sys\n"
      "none = [n for n in ('bloomery', 'pyspark', 'pyarrow') if u.find_spec(n) is None]\n"
      "sys.exit('has no ' + ' and no '.join(none) if none else 0)";
  const auto child = hadoop::run_child({python, "-c", kLook});
  if (!child) return child.error();
  if (child->is_good()) return {};
  std::string said = child->errors;
  while (said.ends_with('\n')) said.pop_back();
  return make_error(ErrorCode::kNotFound,
                    R"({}: {}; name another Python with engine_flags.spark = ["--python", "FILE"])",
                    printable_path(python), escaped(said, 1000));
}

// By the flags that runs on it will have.
Result<void> check_engine_is_here(const StudyPlan& plan, const std::string& engine,
                                  const Console& console) {
  EngineOptions options;
  const Command flags{.name = "build", .flags = engine_flags(options)};
  Words words = engine_words(plan, engine);
  words.insert(words.begin(), {"--engine", engine});
  OutputOptions ignored;
  if (auto parsed = parse(flags, words, ignored); !parsed) return parsed;
  if (auto fine = check_engine(options); !fine) return fine;
  if (options.is_hadoop()) {
    const auto found = find_hadoop(options.classpath);
    if (!found) return found.error();
  }
  if (options.is_spark()) {
    const auto found = spark_options(options.spark, std::nullopt, console);
    if (!found) return found.error();
    return check_python(found->python);
  }
  return {};
}

// What a run is given by its setting, and what the study itself has to say, is no flag of a plan:
// else a line would say one thing and the run be another.
Result<void> check_flags(const StudyPlan& plan) {
  constexpr std::array kAxes{"--fpr",   "--hashes",  "--kind",    "--engine",
                             "--tasks", "--threads", "--strategy"};
  constexpr std::array kOurs{"--output", "--force", "--dry-run", "--format",     "--json",
                             "--quiet",  "--color", "--verbose", "--no-progress"};
  const auto wrong = [&](const PlanFlag& flag, std::string_view why) {
    return make_error(ErrorCode::kInvalidArgument, "{}: flags: {}: {}", plan.flags_where,
                      escaped(flag.words.front()), why);
  };
  for (const PlanFlag& flag : plan_flags(plan)) {
    if (std::ranges::find(kAxes, flag.name) != kAxes.end()) {
      return wrong(flag, "is a setting; write it under [base] or in a sweep");
    }
    if (std::ranges::find(kOurs, flag.name) != kOurs.end()) {
      return wrong(flag, "is not for a plan to say; leave it out");
    }
    if (flag.name.empty() && !flag.words.front().starts_with('-')) {
      return wrong(flag, "is no flag; files go under input");
    }
  }
  return {};
}

Result<void> check_engine_of(const StudyPlan& plan, const PlannedRun& run, const Console& console) {
  const std::string& engine = run.settings.engine;
  const auto here = check_engine_is_here(plan, engine, console);
  if (here) return {};
  const auto named = plan.engine_where.find(engine);
  const bool has_flags =
      engine != "threads" && here.error().message.find("engine_flags") == std::string::npos;
  return make_error(
      here.error().code, "{}: engine = \"{}\": {}{}",
      named == plan.engine_where.end() ? run.where : named->second, engine, here.error().message,
      has_flags ? fmt::format(R"(; flags for it are written engine_flags.{} = ["--flag", "value"])",
                              engine)
                : std::string());
}

// By the command's own table: what build would refuse is refused now. A dry run reads, so flags
// that only contradict the data are found by the warm-up.
Result<void> check_words(const StudyPlan& plan, const PlannedRun& run) {
  OutputOptions ignored;
  const auto parsed = parse(build_command(), build_words(plan, run.settings, "-"), ignored);
  if (parsed) return {};
  return make_error(parsed.error().code, "{}: {}", run.where, parsed.error().message);
}

Result<void> check_size(const PlannedRun& run) {
  const RunSettings& settings = run.settings;
  SizingRequest request;
  request.kind = kind_from_string(settings.kind).value();
  request.fpr = settings.fpr;
  if (settings.hashes) request.hashes = static_cast<std::uint32_t>(*settings.hashes);
  const auto sized = plan_groups({{"all", 1000, 1000}}, request);
  if (sized) return {};
  return make_error(sized.error().code, "{}: {}: {}", run.where, to_text(settings),
                    sized.error().message);
}

Result<void> check_inputs_are_here(const StudyPlan& plan) {
  for (const std::string& input : plan.inputs) {
    if (is_here(input)) continue;
    return make_error(ErrorCode::kNotFound, "{}: input = \"{}\": no such file here",
                      plan.input_where, escaped(input));
  }
  return {};
}

}  // namespace

Result<void> check_plan(const StudyPlan& plan, const Console& console) {
  if (auto fine = check_flags(plan); !fine) return fine;
  std::set<std::string> engines;
  for (const PlannedRun& run : plan.runs) {
    if (engines.insert(run.settings.engine).second) {
      if (auto fine = check_engine_of(plan, run, console); !fine) return fine;
    }
    if (auto fine = check_words(plan, run); !fine) return fine;
    if (auto fine = check_size(run); !fine) return fine;
    if (run.settings.engine != "threads") continue;
    if (auto fine = check_inputs_are_here(plan); !fine) return fine;
  }
  return {};
}

}  // namespace bloomery::cli
