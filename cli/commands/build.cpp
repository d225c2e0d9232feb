// bloomery build: from records to a bank, one filter per group.
//
// The bank appears when it is whole. Everything that was read is accounted for.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "cli/bank_file.h"
#include "cli/commands/build_report.h"
#include "cli/commands/commands.h"
#include "cli/filter_flags.h"
#include "cli/hadoop_flags.h"
#include "cli/input_flags.h"
#include "cli/output/console.h"
#include "cli/output/progress.h"
#include "cli/plan_file.h"
#include "cli/result_flags.h"
#include "cli/secret_file.h"
#include "cli/signals.h"
#include "cli/values.h"
#include "engines/threads/engine.h"

namespace bloomery::cli {
namespace {

struct BuildOptions {
  InputOptions input;
  FilterOptions filter;
  TaskOptions tasks;
  EngineOptions engine;
  std::string plan_from;
  std::optional<Strategy> strategy;
  std::string output;
  bool force = false;
  bool distinct = false;
  bool dry_run = false;
  TextMap metadata;
};

Take into_metadata(TextMap& to) {
  return [&to](const std::string& text) -> Result<void> {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return make_error(ErrorCode::kInvalidArgument, "must be NAME=TEXT, as in source=imdb");
    }
    const auto [there, is_new] = to.try_emplace(text.substr(0, equals), text.substr(equals + 1));
    if (is_new || there->second == text.substr(equals + 1)) return {};
    return make_error(ErrorCode::kInvalidArgument,
                      "this name has the text \"{}\" already; leave one of them out",
                      escaped(there->second));
  };
}

// A plan says all there is to say about filters, so what contradicts it is not left out silently.
Result<void> check_plan_alone(const BuildOptions& options) {
  const FilterOptions& filter = options.filter;
  const auto given = std::to_array<std::pair<const char*, bool>>(
      {{"--fpr", filter.fpr.has_value()},
       {"--bytes", filter.bytes.has_value()},
       {"--bits", filter.bits.has_value()},
       {"--kind", !filter.kind.empty()},
       {"--hashes", filter.hashes.has_value()},
       {"--hash", !filter.hash.empty()},
       {"--seed", filter.seed.has_value()},
       {"--seeds", !filter.seeds.empty()},
       {"--distinct", options.distinct},
       {"--dialect", filter.dialect != to_string(Dialect::kBloomery)}});
  for (const auto& [flag, is_given] : given) {
    if (!is_given) continue;
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: --plan-from {} says what the filters are; leave one of them out", flag,
                      printable_path(options.plan_from));
  }
  return {};
}

Result<BuildJob> job_of(const BuildOptions& options) {
  BuildJob job;
  RecipeText known;
  if (!options.plan_from.empty()) {
    if (const auto alone = check_plan_alone(options); !alone) return alone.error();
    const auto secret = optional_secret(options.filter.key_file);
    if (!secret) return secret.error();
    const auto file = BankFile::fetch(options.plan_from, options.engine.classpath);
    if (!file) return file.error();
    auto plan = read_plan(file->path(), *secret);
    if (!plan) return file->named(plan.error());
    known = std::move(plan->recipe);
    job.plan = std::move(plan->groups);
  } else {
    auto sizing = sizing_request(options.filter);
    if (!sizing) return sizing.error();
    job.sizing = std::move(*sizing);
  }
  auto input = job_input(options.input, known, options.engine.far_inputs());
  if (!input) return input.error();
  job.input = std::move(*input);
  job.input.rejects.overwrite = options.force;
  job.tasks = options.tasks;
  job.distinct = options.distinct;
  job.strategy = options.strategy;
  job.output = options.output;
  job.overwrite = options.force;
  job.metadata = options.metadata;
  return job;
}

Result<hadoop::HadoopOptions> cluster_of(const BuildOptions& options) {
  const auto secret = optional_secret(options.filter.key_file);
  if (!secret) return secret.error();
  return hadoop_options(options.engine, *secret);
}

Result<spark::SparkOptions> spark_of(const BuildOptions& options, const Console& console) {
  const auto secret = optional_secret(options.filter.key_file);
  if (!secret) return secret.error();
  return spark_options(options.engine.spark, *secret, console);
}

Result<PlanResult> plan_on(const BuildOptions& options, const PlanJob& job, JobProgress* progress,
                           const Console& console) {
  if (options.engine.is_spark()) {
    const auto spark = spark_of(options, console);
    if (!spark) return spark.error();
    return spark::run_plan(job, *spark);
  }
  if (!options.engine.is_hadoop()) return run_plan(job, progress);
  const auto cluster = cluster_of(options);
  if (!cluster) return cluster.error();
  return hadoop::run_plan(job, *cluster, progress);
}

Result<BuildResult> build_on(const BuildOptions& options, const BuildJob& job,
                             JobProgress* progress, const Console& console) {
  if (options.engine.is_spark()) {
    const auto spark = spark_of(options, console);
    if (!spark) return spark.error();
    return spark::run_build(job, *spark);
  }
  if (!options.engine.is_hadoop()) return run_build(job, progress);
  const auto cluster = cluster_of(options);
  if (!cluster) return cluster.error();
  return hadoop::run_build(job, *cluster, progress);
}

Result<ExitCode> run_dry(const BuildOptions& options, const BuildJob& job, JobProgress& progress,
                         Console& console) {
  PlanResult result;
  if (job.plan) {
    result.groups = *job.plan;
  } else {
    const ProgressBar bar(console, progress);
    auto planned =
        plan_on(options, {job.input, job.tasks, job.sizing, job.distinct}, &progress, console);
    if (!planned) return planned.error();
    result = std::move(*planned);
  }
  return report_dry_run(job, result, console);
}

Result<ExitCode> run_build_command(const BuildOptions& options, Console& console) {
  if (options.output == "-") {
    return make_error(ErrorCode::kInvalidArgument,
                      "--output -: a bank is not written front to back; name a file");
  }
  if (const auto fine = check_engine(options.engine); !fine) return fine.error();
  if (hadoop::is_remote(options.output) && !options.engine.is_hadoop()) {
    return make_error(ErrorCode::kUnsupported, "--output {}: only --engine hadoop writes there",
                      printable_path(options.output));
  }
  const auto job = job_of(options);
  if (!job) return job.error();
  const auto files = output_files(job->input, options.output);
  if (!files) return files.error();
  JobProgress progress;
  const SignalGuard guard(*files, &progress.is_cancelled, grace_of(options.engine));
  if (options.dry_run) return run_dry(options, *job, progress, console);
  auto result = [&] {
    const ProgressBar bar(console, progress);
    return build_on(options, *job, &progress, console);
  }();
  if (!result) return result.error();
  return report_build(*job, *result, console);
}

std::vector<Flag> own_flags(BuildOptions& options) {
  return {
      bank_output_flag(options.output),
      force_flag(options.force, "replace output and --rejects files that exist"),
      {.names = "--dry-run",
       .help = "count and size, and write nothing",
       .section = "Result",
       .take = into(options.dry_run),
       .is_basic = true},
      {.names = "--metadata",
       .value = "NAME=TEXT",
       .help = "a text to keep in the bank",
       .section = "Result",
       .take = into_metadata(options.metadata),
       .is_repeatable = true},
      {.names = "--distinct",
       .help = "size by distinct keys, not by records",
       .section = "Filters",
       .take = into(options.distinct),
       .is_basic = true},
      {.names = "--plan-from",
       .value = "FILE",
       .help = "filters as in this plan or bank, so that banks merge",
       .section = "Filters",
       .take = into(options.plan_from),
       .complete = Complete::kFile},
      {.names = "--strategy",
       .value = "NAME",
       .help = "what tasks ship: clusters do, threads weigh it",
       .section = "Work",
       .choices = {"indexes", "filters", "auto"},
       .take = into_parsed(options.strategy,
                           [](const std::string& text) -> Result<Strategy> {
                             return strategy_from_string(text).value();
                           })},
  };
}

}  // namespace

Command build_command() {
  const auto options = std::make_shared<BuildOptions>();
  Command command{
      .name = "build",
      .summary = "Build a bank from records: one filter per group",
      .description =
          {"Reads delimited text, JSON lines or plain lines, plain or compressed, told apart by "
           "content. The same records give the same bank to the byte, whatever their order, the "
           "number of threads and tasks, and the form they come in.",
           "A column by name means that there is a header line, a column by number that there is "
           "none. Ratings such as 8.5 round half up. \\N and empty fields are missing values: they "
           "are counted and left out.",
           "Records that make no sense are rejected, counted by kind and shown; more of them than "
           "--max-bad and nothing is written."},
      .arguments = {file_argument(options->input)},
      .examples = {{"One filter per rounded rating",
                    "bloomery build ratings.tsv --key tconst --group 'round(averageRating)' -o "
                    "ratings.bank"},
                   {"From a pipe, one filter in all",
                    "bloomery generate words | bloomery build -p 0.1% -o words.bank"},
                   {"What would it take?",
                    "bloomery build ratings.tsv --key tconst -o all.bank --dry-run"},
                   {"Two banks that merge",
                    "bloomery build ratings.tsv --plan-from ratings.bank -o mon.bank && "
                    "bloomery build ratings.tsv --plan-from ratings.bank -o tue.bank"},
                   {"What a cluster would ship",
                    "bloomery build ratings.tsv --key tconst --tasks 8 --strategy auto -o s.bank"}},
      .statuses = {"the bank was written", "", "nothing was written"},
      .writes = true,
      .run = [options](Console& console) { return run_build_command(*options, console); },
  };
  for (auto list :
       {layout_flags(options->input), group_flags(options->input), filter_flags(options->filter),
        own_flags(*options), reject_flags(options->input), task_flags(options->tasks, true),
        engine_flags(options->engine)}) {
    for (Flag& flag : list) command.flags.push_back(std::move(flag));
  }
  return command;
}

}  // namespace bloomery::cli
