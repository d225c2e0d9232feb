// bloomery plan: how large will the filters be, and what rate will they have?
//
// From data it counts the records of every group; from numbers it computes what a calculator would.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/commands/commands.h"
#include "cli/commands/plan_numbers.h"
#include "cli/filter_flags.h"
#include "cli/hadoop_flags.h"
#include "cli/input_flags.h"
#include "cli/output/console.h"
#include "cli/output/job_report.h"
#include "cli/output/numbers.h"
#include "cli/output/progress.h"
#include "cli/plan_file.h"
#include "cli/secret_file.h"
#include "cli/signals.h"
#include "cli/values.h"
#include "engines/job_clock.h"
#include "engines/threads/engine.h"

namespace bloomery::cli {
namespace {

struct PlanOptions {
  InputOptions input;
  FilterOptions filter;
  TaskOptions tasks;
  EngineOptions engine;
  std::optional<std::uint64_t> keys;
  std::string output;
  bool force = false;
  bool distinct = false;
};

bool is_from_numbers(const PlanOptions& options) {
  return options.keys || (options.input.files.empty() && options.input.recipe.empty() &&
                          options.filter.fpr && options.filter.bytes);
}

Result<ExitCode> report_plan(const PlanOptions& options, const PlanJob& job,
                             const PlanResult& result, Console& console) {
  const auto bytes = planned_bank_bytes(result.groups, job.input.recipe, {});
  if (!bytes) return bytes.error();
  std::uint64_t tables = 0;
  for (const GroupPlan& plan : result.groups) {
    tables += table_bytes(plan.spec.kind, plan.spec.bits);
  }
  Report report;
  add_facts(report, result.facts);
  report.document["bank_bytes"] = *bytes;
  report.tables = {plan_table(result.groups)};
  report.foot = {{"bank", fmt::format("{} bytes, {}", grouped(*bytes),
                                      counted(result.groups.size(), "filter"))}};
  if (!options.output.empty()) {
    put_bytes(report.document, "output", options.output);
    report.foot.push_back({"wrote", printable_path(options.output)});
    report.foot.push_back({"next", fmt::format("bloomery build FILE... --plan-from {} -o BANK",
                                               printable_path(options.output))});
  }
  console.print(report);
  talk_about(result.facts, console);
  const std::uint64_t memory = filter_memory(options.tasks.memory);
  if (memory == 0 || tables <= memory) return ExitCode::kOk;
  console.warn(fmt::format("the filters take {}, more than the {} of --memory {} that are for them",
                           size_text(tables), size_text(memory), size_text(options.tasks.memory)));
  return ExitCode::kNo;
}

// A plan is written on this machine, and over nothing without being asked to.
Result<void> check_output(const PlanOptions& options) {
  if (hadoop::is_remote(options.output)) {
    return make_error(ErrorCode::kUnsupported, "--output {}: a plan is written on this machine",
                      printable_path(options.output));
  }
  if (options.output.empty() || options.force) return {};
  return check_absent(options.output);
}

Result<PlanResult> run_on_engine(const PlanOptions& options, const PlanJob& job,
                                 JobProgress& progress, Console& console) {
  const ProgressBar bar(console, progress);
  if (options.engine.engine == "threads") return run_plan(job, &progress);
  const auto secret = optional_secret(options.filter.key_file);
  if (!secret) return secret.error();
  if (options.engine.is_spark()) {
    const auto spark = spark_options(options.engine.spark, *secret, console);
    if (!spark) return spark.error();
    return spark::run_plan(job, *spark);
  }
  const auto cluster = hadoop_options(options.engine, *secret);
  if (!cluster) return cluster.error();
  return hadoop::run_plan(job, *cluster, &progress);
}

Result<ExitCode> plan_from_data(const PlanOptions& options, Console& console) {
  PlanJob job;
  if (const auto fine = check_engine(options.engine); !fine) return fine.error();
  auto input = job_input(options.input, {}, options.engine.far_inputs());
  if (!input) return input.error();
  auto sizing = sizing_request(options.filter);
  if (!sizing) return sizing.error();
  input->rejects.overwrite = options.force;
  job = {std::move(*input), options.tasks, std::move(*sizing), options.distinct};
  const auto files = output_files(job.input, options.output);
  if (!files) return files.error();
  if (const auto fine = check_output(options); !fine) return fine.error();
  JobProgress progress;
  const SignalGuard guard(*files, &progress.is_cancelled, grace_of(options.engine));
  const auto result = run_on_engine(options, job, progress, console);
  if (!result) return result.error();
  if (!options.output.empty()) {
    const auto written =
        write_plan(options.output, options.force, {result->groups, to_text(job.input.recipe)});
    if (!written) return written.error();
  }
  return report_plan(options, job, *result, console);
}

Result<ExitCode> run_plan_command(const PlanOptions& options, Console& console) {
  if (!is_from_numbers(options)) return plan_from_data(options, console);
  if (!options.input.files.empty()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--keys {}: a FILE has its own number of keys; leave one of them out",
                      *options.keys);
  }
  if (!options.output.empty()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--output {}: only a plan of data can be saved; name a FILE",
                      escaped(options.output));
  }
  return plan_from_numbers(options.filter, options.keys, options.tasks.memory, console);
}

}  // namespace

Command plan_command() {
  const auto options = std::make_shared<PlanOptions>();
  Command command{
      .name = "plan",
      .summary = "Size filters, from data or from numbers",
      .description =
          {"From data it counts the keys of every group, which is faster than building, and gives "
           "bits, hashes, bytes and predicted rate of each filter.",
           "From numbers, two of --keys, --fpr and --bytes give the third. Without --kind all "
           "kinds "
           "are shown: blocked takes more bits than classic and is faster."},
      .arguments = {file_argument(options->input)},
      .flags = {{.names = "-n,--keys",
                 .value = "N",
                 .help = "number of keys, instead of data: 1000, 1.6M",
                 .section = "Numbers",
                 .take = into_parsed(options->keys, parse_count),
                 .is_basic = true}},
      .examples = {{"For 1.6 million keys", "bloomery plan --keys 1.6M -p 1-in-1000"},
                   {"The rate that 64 KiB give", "bloomery plan --keys 50K --bytes 64KiB"},
                   {"With seven hashes", "bloomery plan --keys 2546 --hashes 7 --kind classic"},
                   {"From data, kept for several builds",
                    "bloomery plan ratings.tsv --key tconst --group 'round(averageRating)' -o "
                    "ratings.plan"}},
      .statuses = {"planned", "the filters do not fit --memory", "error"},
      .writes = true,
      .run = [options](Console& console) { return run_plan_command(*options, console); },
  };
  const std::vector<Flag> own{{.names = "-o,--output",
                               .value = "FILE",
                               .help = "save the plan, for build --plan-from",
                               .section = "Result",
                               .take = into(options->output),
                               .complete = Complete::kFile,
                               .is_basic = true},
                              {.names = "-f,--force",
                               .help = "replace output and --rejects files that exist",
                               .section = "Result",
                               .take = into(options->force)},
                              {.names = "--distinct",
                               .help = "size by distinct keys, not by records",
                               .section = "Filters",
                               .take = into(options->distinct),
                               .is_basic = true}};
  for (auto list : {layout_flags(options->input), group_flags(options->input),
                    filter_flags(options->filter), own, reject_flags(options->input),
                    task_flags(options->tasks, true), engine_flags(options->engine)}) {
    for (Flag& flag : list) command.flags.push_back(std::move(flag));
  }
  return command;
}

}  // namespace bloomery::cli
