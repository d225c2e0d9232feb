// What can be known of a plan before anything runs.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/frame/parse.h"
#include "cli/hadoop_flags.h"
#include "cli/study/study.h"
#include "cli/study/words.h"

namespace bloomery::cli {
namespace {

// By the flags that runs on it will have.
Result<void> check_engine_is_here(const StudyPlan& plan, const std::string& engine,
                                  const Console& console) {
  EngineOptions options;
  const Command flags{.name = "build", .flags = engine_flags(options)};
  Words words = engine_words(plan, engine);
  words.insert(words.begin(), {"--engine", engine});
  OutputOptions ignored;
  if (const auto parsed = parse(flags, words, ignored); !parsed) return parsed;
  if (const auto fine = check_engine(options); !fine) return fine;
  if (options.is_hadoop()) {
    const auto found = find_hadoop(options.classpath);
    if (!found) return found.error();
  }
  if (options.is_spark()) {
    const auto found = spark_options(options.spark, std::nullopt, console);
    if (!found) return found.error();
  }
  return {};
}

}  // namespace

Result<void> check_plan(const StudyPlan& plan, const Console& console) {
  std::set<std::string> engines;
  for (const PlannedRun& run : plan.runs) {
    const RunSettings& settings = run.settings;
    if (engines.insert(settings.engine).second) {
      if (const auto here = check_engine_is_here(plan, settings.engine, console); !here) {
        return make_error(here.error().code, "{}: engine = \"{}\": {}", run.where, settings.engine,
                          here.error().message);
      }
    }
    // The command's own table: what build would refuse is refused now. A dry run reads, so flags
    // that only contradict the data are found by the warm-up.
    OutputOptions ignored;
    if (const auto parsed = parse(build_command(), build_words(plan, settings, "-"), ignored);
        !parsed) {
      return make_error(parsed.error().code, "{}: {}", run.where, parsed.error().message);
    }
    SizingRequest request;
    request.kind = kind_from_string(settings.kind).value();
    request.fpr = settings.fpr;
    if (settings.hashes) request.hashes = static_cast<std::uint32_t>(*settings.hashes);
    if (const auto sized = plan_groups({{"all", 1000, 1000}}, request); !sized) {
      return make_error(sized.error().code, "{}: {}: {}", run.where, to_text(settings),
                        sized.error().message);
    }
    if (settings.engine == "threads") {
      for (const std::string& input : plan.inputs) {
        if (is_here(input)) continue;
        return make_error(ErrorCode::kNotFound, "{}: input = \"{}\": no such file here", run.where,
                          escaped(input));
      }
    }
  }
  return {};
}

}  // namespace bloomery::cli
