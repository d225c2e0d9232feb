// bloomery bench: what filters cost on this machine, beside exact sets that hold the same keys.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "bench/peers/sets.h"
#include "bloomery/kernel.h"
#include "cli/bench/file_keys.h"
#include "cli/bench/tables.h"
#include "cli/bench/verdict.h"
#include "cli/commands/commands.h"
#include "cli/input_flags.h"
#include "cli/machine.h"
#include "cli/output/console.h"
#include "cli/output/numbers.h"
#include "cli/output/progress.h"
#include "cli/values.h"

namespace bloomery::cli {
namespace {

struct BenchOptions {
  InputOptions input;
  std::vector<std::uint64_t> counts = {10'000, 1'000'000, 10'000'000};
  std::uint64_t length = 12;
  std::vector<std::string> tables;  // empty: all
  BenchSettings settings;
  std::uint64_t threads = 0;  // 0: as many as the machine has
  std::uint64_t rounds = 5;

  [[nodiscard]] bool has_table(const std::string& name) const {
    return tables.empty() || std::ranges::count(tables, name) > 0;
  }
};

// What the published tables were made with.
constexpr std::uint64_t kHustNames = 329;
constexpr std::uint64_t kFlorenceSample = 8'018;
constexpr std::uint64_t kFlorenceBits = 20'560;
constexpr std::uint64_t kFlorenceWords = 2'000'000;
constexpr std::size_t kFlorenceLength = 30;
// Absent keys: enough to prove a rate of a tenth of a percent.
constexpr std::uint64_t kMinAbsent = 100'000;
constexpr std::uint64_t kMaxAbsent = 2'000'000;

constexpr std::uint64_t kMostKeys = 1'000'000'000'000;  // more than any memory holds

Result<std::vector<std::uint64_t>> parse_counts(std::string_view text) {
  std::vector<std::uint64_t> counts;
  while (true) {
    const std::size_t end = text.find(',');
    const auto count = parse_count(text.substr(0, end));
    if (!count || *count == 0 || *count > kMostKeys) {
      return make_error(ErrorCode::kInvalidArgument,
                        "must be numbers above 0 with commas, as in 10K,1M");
    }
    counts.push_back(*count);
    if (end == std::string_view::npos) return counts;
    text.remove_prefix(end + 1);
  }
}

Result<BenchKeys> keys_of_files(const BenchOptions& options, const Console& console) {
  JobProgress progress;
  const auto input = job_input(options.input);
  if (!input) return input.error();
  const ProgressBar bar(console, progress);
  const auto keys = file_keys(*input, &progress);
  if (!keys) return keys.error();
  BenchKeys split = split_keys({keys->begin(), keys->end()});
  if (!split.present.views().empty()) return split;
  return make_error(ErrorCode::kInvalidArgument,
                    "{}: has one distinct key; half of the keys go in and half are asked for in "
                    "vain, so give at least two",
                    escaped(input->paths.front(), 4096));
}

// Measures and collects tables, in the order in which they are printed.
class Bench {
 public:
  Bench(const BenchOptions& options, Console& console)
      : options_(&options), settings_(options.settings), console_(&console) {
    settings_.rounds = static_cast<int>(options.rounds);
    settings_.threads = options.threads > 0 ? static_cast<unsigned>(options.threads)
                                            : std::max(1U, std::thread::hardware_concurrency());
  }

  Result<Report> run() {
    if (options_->input.files.empty()) {
      if (auto made = measure_words(); !made) return made.error();
    } else {
      const auto keys = keys_of_files(*options_, *console_);
      if (!keys) return keys.error();
      if (auto done = measure(*keys, true); !done) return done.error();
    }
    if (auto published = measure_published(); !published) return published.error();
    return report();
  }

 private:
  Result<void> measure_words() {
    const std::uint64_t most = *std::ranges::max_element(options_->counts);
    for (const std::uint64_t count : options_->counts) {
      const bool is_most = count == most;
      if (!is_most && !options_->has_table("sets")) continue;
      const auto keys =
          made_up_keys(count, std::clamp(count, kMinAbsent, kMaxAbsent), options_->length);
      if (!keys) return keys.error();
      if (auto done = measure(*keys, is_most); !done) return done;
    }
    return {};
  }

  // `is_most`: the largest number of keys, on which the other tables rest, too.
  Result<void> measure(const BenchKeys& keys, bool is_most) {
    const std::uint64_t count = keys.present.views().size();
    if (options_->has_table("sets")) {
      say("sets", count);
      add_sets(sets_, keys, settings_);
    }
    if (is_most && options_->has_table("errors")) {
      say("errors", count);
      if (auto done = add_errors(errors_, keys, false); !done) return done;
    }
    if (is_most && options_->has_table("threads")) {
      say("threads", count);
      const std::uint64_t questions = std::clamp(count, kMinAbsent, kMaxAbsent);
      return add_threads(threads_, keys, questions, std::nullopt, settings_);
    }
    return {};
  }

  // What others published, as they did it.
  Result<void> measure_published() {
    if (options_->has_table("errors") || options_->has_table("rounds")) {
      const auto names = made_up_keys(kHustNames, kMinAbsent, options_->length);
      if (!names) return names.error();
      say("errors and rounds", kHustNames);
      if (options_->has_table("errors")) {
        if (auto done = add_errors(errors_, *names, true); !done) return done;
      }
      if (options_->has_table("rounds")) rounds_ = rounds_table(*names, settings_);
    }
    if (!options_->has_table("threads")) return {};
    say("threads", kFlorenceSample);
    const auto words = made_up_keys(kFlorenceSample, kFlorenceWords, kFlorenceLength);
    if (!words) return words.error();
    return add_threads(threads_, *words, kFlorenceWords, kFlorenceBits, settings_);
  }

  void say(const char* what, std::uint64_t keys) const {
    console_->note(fmt::format("{}: {} keys", what, grouped(keys)));
  }

  Result<Report> report() {
    Report report;
    report.document["machine"] = {{"processor", processor()},
                                  {"threads", std::thread::hardware_concurrency()},
                                  {"kernel", std::string(to_string(active_kernel()))},
                                  {"system", operating_system()}};
    report.document["program"] = {
        {"version", version()}, {"commit", commit()}, {"compiler", compiler()}};
    report.document["fpr"] = settings_.fpr;
    report.document["rounds_each"] = settings_.rounds;
    report.head = {
        {"machine", fmt::format("{}, {} threads, kernel {}", processor(),
                                std::thread::hardware_concurrency(), to_string(active_kernel()))},
        {"program", fmt::format("bloomery {} ({}), {}", version(), commit(), compiler())},
        {"measured", fmt::format("best of {} rounds, in which all take turns; every "
                                 "answer checked",
                                 settings_.rounds)}};
    for (const std::string& line : sets_in_words(sets_)) report.foot.push_back({"sets", line});
    Verdict verdict;
    verdict.add_sets(sets_);
    verdict.add_rounds(rounds_);
    for (const std::string& line : verdict.in_words()) report.foot.push_back({"verdict", line});
    report.document["verdicts"] = verdict.to_json();
    for (Table* table : {&sets_, &errors_, &rounds_, &threads_}) {
      if (options_->has_table(table->name)) report.tables.push_back(std::move(*table));
    }
    report.tables.push_back(verdict.losses());
    if (bench::make_flat_set<std::string_view>() == nullptr) {
      report.foot.push_back({"note", "built without Boost 1.81: no flat set in these tables"});
    }
    return report;
  }

  const BenchOptions* options_;
  BenchSettings settings_;
  Console* console_;
  Table sets_ = empty_sets_table();
  Table errors_ = empty_errors_table();
  Table rounds_{.name = "rounds"};
  Table threads_ = empty_threads_table();
};

Result<ExitCode> run_bench_command(const BenchOptions& options, Console& console) {
  try {
    const auto report = Bench(options, console).run();
    if (!report) return report.error();
    console.print(*report);
    return ExitCode::kOk;
  } catch (const std::bad_alloc&) {
    return make_error(ErrorCode::kResource, "out of memory; ask for fewer --keys");
  } catch (const std::exception& wrong) {
    return make_error(ErrorCode::kDamaged, "{}; this is a defect: please report it", wrong.what());
  }
}

std::vector<Flag> own_flags(BenchOptions& options) {
  constexpr const char* kSection = "Measurement";
  return {
      {.names = "--keys",
       .value = "LIST",
       .help = "keys to make up, where there is no FILE: 10K,1M",
       .fallback = "10K,1M,10M",
       .section = kSection,
       .take = into_parsed(options.counts, parse_counts),
       .is_basic = true},
      {.names = "--length",
       .value = "N",
       .help = "letters of a key that is made up",
       .fallback = "12",
       .section = kSection,
       .take = into_count(options.length, 1, 1000)},
      {.names = "-p,--fpr",
       .value = "RATE",
       .help = "false-positive rate of the filters",
       .fallback = "1%",
       .section = kSection,
       .take = into_parsed(options.settings.fpr, parse_rate),
       .is_basic = true},
      {.names = "--threads",
       .value = "N",
       .help = "the most threads",
       .fallback = "all",
       .section = kSection,
       .take = into_count(options.threads, 1, 1024),
       .is_basic = true},
      {.names = "--rounds",
       .value = "N",
       .help = "measure so often; the best counts",
       .fallback = "5",
       .section = kSection,
       .take = into_count(options.rounds, 1, 1000)},
      {.names = "--table",
       .value = "NAME",
       .help = "only this table",
       .section = kSection,
       .choices = {"sets", "errors", "rounds", "threads"},
       .take = into(options.tables),
       .is_basic = true,
       .is_repeatable = true},
  };
}

}  // namespace

Command bench_command() {
  const auto options = std::make_shared<BenchOptions>();
  Argument files = file_argument(options->input);
  files.help = "files whose keys to measure with; made-up words where there is none";
  Command command{
      .name = "bench",
      .summary = "Measure filters against exact sets on this machine",
      .description =
          {"Four tables. sets: memory and nanoseconds a key of every kind of filter, of "
           "std::unordered_set and of a flat hash set, in and out of cache, one key at a time and "
           "in batches. errors: the rate against the formula while the bits a key go up. rounds: "
           "thousands of rounds of the same few questions. threads: speed-up and efficiency.",
           "Published figures stand beside ours where there are any: those of HUST for 329 names, "
           "those of Florence for two million words.",
           "Of the distinct keys of a FILE one half goes in, and the other half is asked for in "
           "vain. All contestants hash with XXH3. Every answer is checked.",
           "At the end a verdict for each table that has hash sets: in how many comparisons a "
           "filter was behind a set, with a row for each of them."},
      .arguments = {std::move(files)},
      .examples = {{"A quick look", "bloomery bench --keys 10K --rounds 1 --table sets"},
                   {"With keys of one's own",
                    "bloomery bench ratings.tsv --key tconst --table sets --rounds 1"},
                   {"For bloomery report",
                    "bloomery bench --keys 10K --rounds 1 --json > bench.json"}},
      .run = [options](Console& console) { return run_bench_command(*options, console); },
  };
  for (auto list : {own_flags(*options), layout_flags(options->input)}) {
    for (Flag& flag : list) command.flags.push_back(std::move(flag));
  }
  return command;
}

}  // namespace bloomery::cli
