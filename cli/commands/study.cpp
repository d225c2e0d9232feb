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
#include "cli/study/run_line.h"
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

// For banks of runs. Those of a killed study go when the next begins; the folder itself goes with
// its last bank. It is beside the runs, where there is room for them, and anything else in it is
// somebody's and stays.
class ScratchFolder {
 public:
  static Result<ScratchFolder> create(const std::string& path) {
    std::error_code error;
    fs::create_directory(path, error);
    if (error) return errno_error(error.value(), printable_path(path));
    ScratchFolder folder(path);
    folder.remove_banks();
    return folder;
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  ScratchFolder& operator=(ScratchFolder&& other) = delete;
  ~ScratchFolder() {
    if (path_.empty()) return;
    remove_banks();
    std::error_code ignored;
    fs::remove(path_, ignored);
  }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  // "123.bank", and what build was writing when it was killed: ".123.bank.tmp.124.x".
  void remove_banks() const {
    std::error_code error;
    for (fs::directory_iterator it(path_, error), end; !error && it != end; it.increment(error)) {
      const std::string name = it->path().filename().string();
      const std::size_t from = name.starts_with('.') ? 1 : 0;
      const std::size_t digits = name.find_first_not_of("0123456789", from);
      if (digits == from || digits == std::string::npos) continue;
      if (!name.substr(digits).starts_with(".bank")) continue;
      std::error_code ignored;
      fs::remove(it->path(), ignored);
    }
  }

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

// What was measured elsewhere or by another version is not measured again, and never one number
// with what is measured now.
void warn_of_strangers(const StudyPlan& plan, const std::string& digest, const RunFile& file,
                       const Console& console) {
  const std::string machine = sorted_text(machine_json());
  const std::string versions = sorted_text(versions_json());
  const auto strangers = std::ranges::count_if(file.lines(), [&](const Json& line) {
    return is_of_plan(line, plan, digest) && (sorted_text(line.at("machine")) != machine ||
                                              sorted_text(line.at("versions")) != versions);
  });
  if (strangers == 0) return;
  console.warn(
      fmt::format("{} in the file are of another machine or version; they are not repeated, and "
                  "reports show them apart. To measure all here, name another --output",
                  counted(static_cast<std::uint64_t>(strangers), "run")));
}

// Warns of specs with several banks; false if there are any.
bool are_banks_one(const std::vector<Json>& lines, const Console& console) {
  const auto found = disagreements(lines);
  for (const std::string& each : found) console.warn(each);
  return found.empty();
}

Result<ExitCode> conclude(const StudyOptions& options, const std::vector<Json>& lines,
                          Console& console) {
  const bool is_one = are_banks_one(lines, console);
  if (!console.is_json()) {
    Facts facts;
    facts.runs = lines;
    Report report;
    report.tables = {points_table(points_of(facts))};
    report.foot = {
        {is_one ? "ok" : "FAILED",
         is_one ? fmt::format("{} recorded in {}; all runs of one spec gave one bank",
                              counted(lines.size(), "run"), printable_path(options.output))
                : std::string("runs of one spec gave different banks")},
        {"next", fmt::format("bloomery report {} -o report.html", printable_path(options.output))}};
    console.print(report);
  }
  return is_one ? ExitCode::kOk : ExitCode::kNo;
}

Result<void> choose_output(StudyOptions& options) {
  if (options.output == "-") {
    return make_error(ErrorCode::kInvalidArgument,
                      "--output -: runs are read again from where they are recorded; name a file, "
                      "and --json prints them, too");
  }
  if (options.output.empty() && options.plan == "-") {
    return make_error(ErrorCode::kInvalidArgument,
                      "--output: missing; a plan from standard input has no name to take it from");
  }
  if (options.output.empty()) options.output = default_output(options.plan);
  if (options.plan != "-" && is_same_file(options.output, options.plan)) {
    return make_error(ErrorCode::kInvalidArgument, "--output {}: is the plan",
                      printable_path(options.output));
  }
  return {};
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
  if (const auto chosen = choose_output(options); !chosen) return chosen.error();
  std::atomic<bool> is_cancelled{false};
  // A run stops by itself when it is told to, a job of a cluster after a while.
  const bool is_local = std::ranges::all_of(
      plan->runs, [](const PlannedRun& run) { return run.settings.engine == "threads"; });
  const SignalGuard guard({}, &is_cancelled,
                          is_local ? std::chrono::milliseconds(3000) : SignalGuard::kCluster);
  auto file = options.dry_run ? RunFile::look(options.output) : RunFile::open(options.output);
  if (!file) return file.error();
  const std::string digest = plan_digest(*plan);
  const auto runs = pending_runs(*plan, digest, file->lines());
  const std::string folder = options.output + ".scratch";
  Study study(*plan, *file, folder, console, is_cancelled, digest);
  say_length(*plan, runs.size(), study.expected_seconds(runs), console);
  warn_of_strangers(*plan, digest, *file, console);
  if (options.dry_run) return ExitCode::kOk;
  const auto scratch = ScratchFolder::create(folder);
  if (!scratch) return scratch.error();
  const auto done = study.run(runs, [&](const Json& line) {
    if (!console.is_json()) return;
    console.print_line(line);
    console.out().flush();
  });
  if (done) return conclude(options, file->lines(), console);
  // What was measured until then is looked at all the same.
  are_banks_one(file->lines(), console);
  const auto left = pending_runs(*plan, digest, file->lines()).size();
  if (left < all_runs(*plan)) {
    console.note(fmt::format("{} of {} recorded in {}; the same command goes on from there",
                             grouped(all_runs(*plan) - left), counted(all_runs(*plan), "run"),
                             printable_path(options.output)));
  }
  return done.error();
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
                 .help = "print a ready plan: pisa, the study of a published report; pisa-cluster, "
                         "its times on "
                         "Hadoop and Spark",
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
