// bloomery study: the same job over and over with other settings, each run measured and recorded.
//
// A study that was stopped goes on where it was. Exit status 1 means: runs of one spec gave
// different banks.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "cli/commands/commands.h"
#include "cli/input_flags.h"
#include "cli/output/console.h"
#include "cli/output/numbers.h"
#include "cli/report/facts.h"
#include "cli/report/points.h"
#include "cli/signals.h"
#include "cli/study/study.h"
#include "cli/values.h"

namespace bloomery::cli {
namespace {

namespace fs = std::filesystem;

struct StudyOptions {
  std::string plan;
  std::string output;
  std::string ready;
  bool dry_run = false;
};

// For banks of runs; gone when the study ends, and when the next one begins after a kill.
class ScratchFolder {
 public:
  static Result<ScratchFolder> create(const std::string& path) {
    std::error_code error;
    fs::remove_all(path, error);
    fs::create_directory(path, error);
    if (error) return errno_error(error.value(), printable_path(path));
    return ScratchFolder(path);
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  ScratchFolder& operator=(ScratchFolder&& other) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

std::string default_output(const std::string& plan) {
  return fs::path(plan).replace_extension(".jsonl").string();
}

std::uint64_t specs_of(const StudyPlan& plan) {
  std::vector<std::string> specs;
  for (const PlannedRun& run : plan.runs) {
    const std::string spec = spec_of(to_json(run.settings));
    if (std::ranges::find(specs, spec) == specs.end()) specs.push_back(spec);
  }
  return specs.size();
}

std::uint64_t all_runs(const StudyPlan& plan) {
  std::uint64_t runs = 0;
  for (const PlannedRun& run : plan.runs) runs += run.repetitions;
  return runs;
}

void say_length(const StudyPlan& plan, std::size_t pending, double seconds,
                const Console& console) {
  const std::uint64_t all = all_runs(plan);
  std::string text =
      fmt::format("{} of {} and {}", counted(all, "run"), counted(plan.runs.size(), "setting"),
                  counted(specs_of(plan), "spec"));
  if (pending < all) text += fmt::format(", of which {} are recorded", grouped(all - pending));
  console.note(text + (pending == 0 ? std::string("; nothing is left to do")
                                    : fmt::format("; about {}", duration(seconds))));
}

Result<ExitCode> conclude(const StudyOptions& options, const std::vector<Json>& lines,
                          Console& console) {
  const auto found = disagreements(lines);
  for (const std::string& each : found) console.warn(each);
  if (!console.is_json()) {
    const auto facts = facts_of(lines, options.output);
    if (!facts) return facts.error();
    Report report;
    report.tables = {points_table(points_of(*facts))};
    report.foot = {
        {found.empty() ? "ok" : "FAILED",
         found.empty()
             ? fmt::format("{} recorded in {}; all runs of one spec gave one bank",
                           counted(facts->runs.size(), "run"), printable_path(options.output))
             : std::string("runs of one spec gave different banks")},
        {"next", fmt::format("bloomery report {} -o report.html", printable_path(options.output))}};
    console.print(report);
  }
  return found.empty() ? ExitCode::kOk : ExitCode::kNo;
}

Result<ExitCode> run_study(StudyOptions options, Console& console) {
  if (!options.ready.empty()) {
    console.out().put(ready_plan(options.ready));
    return ExitCode::kOk;
  }
  if (options.plan.empty()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "PLAN: missing; bloomery study --ready pisa prints one to start from");
  }
  const auto text = read_text(options.plan);
  if (!text) return text.error();
  const auto plan = plan_from_toml(*text, options.plan);
  if (!plan) return plan.error();
  if (const auto fine = check_plan(*plan, console); !fine) return fine.error();
  if (options.output.empty()) options.output = default_output(options.plan);
  if (is_same_file(options.output, options.plan)) {
    return make_error(ErrorCode::kInvalidArgument, "--output {}: is the plan",
                      printable_path(options.output));
  }
  std::atomic<bool> is_cancelled{false};
  // A run stops by itself when it is told to, a job of a cluster after a while.
  const bool is_local = std::ranges::all_of(
      plan->runs, [](const PlannedRun& run) { return run.settings.engine == "threads"; });
  const SignalGuard guard({}, &is_cancelled,
                          is_local ? std::chrono::milliseconds(3000) : SignalGuard::kCluster);
  if (options.dry_run && !fs::exists(options.output)) {
    // Nothing is made, not even an empty file.
    RunFile none = RunFile::empty();
    const Study study(*plan, none, "", console, is_cancelled);
    const auto runs = pending_runs(*plan, {});
    say_length(*plan, runs.size(), study.expected_seconds(runs), console);
    return ExitCode::kOk;
  }
  auto file = RunFile::open(options.output);
  if (!file) return file.error();
  const auto runs = pending_runs(*plan, file->lines());
  const std::string folder = options.output + ".scratch";
  Study study(*plan, *file, folder, console, is_cancelled);
  say_length(*plan, runs.size(), study.expected_seconds(runs), console);
  if (options.dry_run) return ExitCode::kOk;
  const auto scratch = ScratchFolder::create(folder);
  if (!scratch) return scratch.error();
  const auto done = study.run(runs, [&](const Json& line) {
    if (!console.is_json()) return;
    console.print_line(line);
    console.out().flush();
  });
  if (!done) return done.error();
  return conclude(options, file->lines(), console);
}

}  // namespace

Command study_command() {
  const auto options = std::make_shared<StudyOptions>();
  return {
      .name = "study",
      .summary = "Measure the same job under many settings, from a plan",
      .description =
          {"Runs bloomery build once for every setting of a plan, as a process of its own, and "
           "appends one JSON line a run to a file: settings, counts, bytes that tasks ship, time, "
           "memory, and the SHA-256 of the bank. The first bank of every spec is verified. "
           "docs/study.md says how a plan is written.",
           "A plan sweeps p, k, kind, engine, strategy, tasks and threads, one at a time or all "
           "with all. Runs come in an order shuffled by the plan's seed. Every mistake of a plan "
           "is found before anything runs.",
           "Stopped, a study goes on where it was: runs that the file has are not repeated. All "
           "runs of one spec must give one bank, whatever the engine."},
      .arguments =
          {{.name = "PLAN", .help = "a plan in TOML", .min = 0, .take = into(options->plan)}},
      .flags = {{.names = "-o,--output",
                 .value = "FILE",
                 .help = "where runs are recorded, and read again",
                 .fallback = "PLAN with .jsonl",
                 .section = "Result",
                 .take = into(options->output),
                 .complete = Complete::kFile,
                 .is_basic = true},
                {.names = "--dry-run",
                 .help = "check the plan and say how long it takes",
                 .section = "Result",
                 .take = into(options->dry_run),
                 .is_basic = true},
                {.names = "--ready",
                 .value = "NAME",
                 .help = "print a ready plan: pisa, the study of a published report",
                 .section = "Result",
                 .choices = ready_plan_names(),
                 .take = into(options->ready),
                 .is_basic = true}},
      .examples = {{"A plan to start from", "bloomery study --ready pisa > pisa.toml"},
                   {"How long will it take?", "bloomery study pisa.toml --dry-run"},
                   {"A small one",
                    "printf 'input = \"ratings.tsv\"\\nkey = \"tconst\"\\n[[sweep]]\\nvary.fpr = "
                    "[0.1, 0.01]\\n' > small.toml && bloomery study small.toml -o small.jsonl"}},
      .statuses = {"every run is recorded", "runs of one spec gave different banks",
                   "error; what was recorded stays"},
      .writes = true,
      .run = [options](Console& console) { return run_study(*options, console); },
  };
}

}  // namespace bloomery::cli
