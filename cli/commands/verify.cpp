// bloomery verify: does the bank keep its promise on these data?
//
// Asks every filter about every record and counts, exactly, what it denies and what it admits
// wrongly. Exit status 1 means: a group failed.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "bank/container.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/bank_file.h"
#include "cli/commands/commands.h"
#include "cli/hadoop_flags.h"
#include "cli/input_flags.h"
#include "cli/output/console.h"
#include "cli/output/job_report.h"
#include "cli/output/numbers.h"
#include "cli/output/progress.h"
#include "cli/secret_file.h"
#include "cli/signals.h"
#include "cli/values.h"
#include "engines/threads/engine.h"
#include "query/cost.h"

namespace bloomery::cli {
namespace {

struct VerifyOptions {
  std::string bank;
  InputOptions input;
  TaskOptions tasks;
  EngineOptions engine;
  std::string key_file;
  double sample = 1;
  bool force = false;
};

// A rate, or all.
Result<double> parse_sample(std::string_view text) {
  const auto share = parse_share(text);
  return share && *share == 1 ? share : parse_rate(text);
}

// Less need not be announced.
constexpr double kCostToSay = 5;

// Every key is asked of every group; with many groups that is long, so it is said before it begins.
void say_cost(const Bank& bank, const VerifyOptions& options, const Console& console) {
  double records = 0;
  for (const BankEntry& entry : bank.entries()) records += static_cast<double>(entry.count());
  const ProbeCost cost = probe_cost(bank, static_cast<std::uint64_t>(records * options.sample));
  const unsigned threads = options.tasks.threads > 0
                               ? options.tasks.threads
                               : std::max(1U, std::thread::hardware_concurrency());
  if (cost.core_seconds / threads < kCostToSay) return;
  console.note(fmt::format(
      "{:.3g} questions, if the data are those of the bank: about {} on {} threads; --sample 1% "
      "asks about one key in a hundred",
      cost.probes, duration(cost.core_seconds / threads), threads));
}

Table verified_table(const Verification& verification) {
  Table table{.name = "groups",
              .columns = {{"group", "group", true},
                          {"members", "keys"},
                          {"false_negatives", "denied"},
                          {"negatives", "negatives"},
                          {"false_positives", "false pos."},
                          {"rate", "measured"},
                          {"low"},
                          {"high"},
                          {"", "95 % interval"},
                          {"target", "target"},
                          {"predicted"},
                          {"needed_negatives"},
                          {"is_ok", "verdict", true}}};
  for (const VerifiedGroup& group : verification.groups) {
    const bool is_few = group.is_ok && group.negatives < group.needed_negatives;
    Cell denied = Cell::count(group.false_negatives);
    denied.is_alarm = group.false_negatives > 0;
    table.rows.push_back(
        {Cell::bytes(group.group),
         Cell::count(group.members),
         std::move(denied),
         Cell::count(group.negatives),
         Cell::count(group.false_positives),
         group.negatives > 0 ? Cell::rate(group.rate) : Cell{.shown = "-"},
         Cell::number(group.low),
         Cell::number(group.high),
         {.shown = fmt::format("{:.4g} - {:.4g} %", group.low * 100, group.high * 100)},
         Cell::rate(group.target),
         Cell::rate(group.predicted),
         Cell::count(group.needed_negatives),
         Cell::flag(group.is_ok, is_few ? "ok, few data" : "ok", "FAILED")});
  }
  return table;
}

std::uint64_t denied_keys(const Verification& verification) {
  std::uint64_t denied = 0;
  for (const VerifiedGroup& group : verification.groups) denied += group.false_negatives;
  return denied;
}

std::string summary(const Verification& verification) {
  std::uint64_t members = 0;
  std::uint64_t good = 0;
  const VerifiedGroup* worst = nullptr;
  for (const VerifiedGroup& group : verification.groups) {
    members += group.members;
    good += group.is_ok ? 1 : 0;
    if (worst == nullptr || group.rate > worst->rate) worst = &group;
  }
  std::string text = fmt::format("{} false negatives of {}; {} of {} groups keep their rate",
                                 grouped(denied_keys(verification)), grouped(members),
                                 grouped(good), grouped(verification.groups.size()));
  if (worst != nullptr) {
    text += fmt::format("; highest: {} in group {}", percent(worst->rate), escaped(worst->group));
  }
  return text;
}

void talk(const Verification& verification, const VerifyOptions& options, const Console& console) {
  const auto has_few = [](const VerifiedGroup& group) {
    return group.negatives < group.needed_negatives;
  };
  const auto few = std::ranges::find_if(verification.groups, has_few);
  if (few != verification.groups.end()) {
    const auto others =
        static_cast<std::uint64_t>(std::ranges::count_if(verification.groups, has_few)) - 1;
    console.note(
        fmt::format("group \"{}\"{}: {} negatives are too few to prove a rate of {} to within 5 %; "
                    "that takes {}",
                    escaped(few->group),
                    others == 0 ? "" : fmt::format(", and {} like it", counted(others, "group")),
                    grouped(few->negatives), percent(few->target), grouped(few->needed_negatives)));
  }
  std::uint64_t outside = 0;
  for (const auto& [group, records] : verification.outside) outside += records;
  if (outside > 0) {
    console.note(
        fmt::format("{} of {} that {} does not have; they count as negatives of every group",
                    counted(outside, "record"), counted(verification.outside.size(), "group"),
                    printable_path(options.bank)));
  }
  if (!verification.is_exact) {
    console.warn(
        "the bank does not hold all of the data, and a pipe cannot be read again to count exactly: "
        "false positives may be counted too high; give a file");
  }
}

Result<ExitCode> run_verify_command(const VerifyOptions& options, Console& console) {
  if (const auto fine = check_engine(options.engine); !fine) return fine.error();
  const auto secret = optional_secret(options.key_file);
  if (!secret) return secret.error();
  OpenOptions open_options;
  open_options.secret = *secret;
  const auto file = BankFile::fetch(options.bank, options.engine.classpath, options.tasks.tmp);
  if (!file) return file.error();
  const auto opened = open_bank(file->path(), open_options);
  if (!opened) return file->named(opened.error());
  const Bank* const bank = &opened->bank;
  VerifyJob job;
  auto input = job_input(options.input, bank->recipe(), options.engine.far_inputs());
  if (!input) return input.error();
  job.input = std::move(*input);
  job.input.rejects.overwrite = options.force;
  job.tasks = options.tasks;
  job.sample = options.sample;
  const auto files = output_files(job.input, "");
  if (!files) return files.error();
  say_cost(*bank, options, console);
  JobProgress progress;
  const SignalGuard guard(*files, &progress.is_cancelled, grace_of(options.engine));
  const auto result = [&]() -> Result<VerifyResult> {
    const ProgressBar bar(console, progress);
    if (options.engine.is_spark()) {
      const auto spark = spark_options(options.engine.spark, *secret, console);
      if (!spark) return spark.error();
      return spark::run_verify(*bank, file->path(), job, *spark);
    }
    if (!options.engine.is_hadoop()) return run_verify(*bank, job, &progress);
    const auto cluster = hadoop_options(options.engine, *secret);
    if (!cluster) return cluster.error();
    return hadoop::run_verify(*bank, file->path(), job, *cluster, &progress);
  }();
  if (!result) return result.error();
  const Verification& verification = result->verification;
  Report report;
  put_bytes(report.document, "bank", options.bank);
  report.document["is_ok"] = verification.is_ok;
  report.document["is_exact"] = verification.is_exact;
  report.document["asked_records"] = verification.records;
  report.document["sample"] = options.sample;
  add_facts(report, result->facts);
  report.tables = {verified_table(verification)};
  report.foot = {{verification.is_ok ? "ok" : "FAILED", summary(verification)}};
  console.print(report);
  talk_about(result->facts, console);
  talk(verification, options, console);
  return verification.is_ok ? ExitCode::kOk : ExitCode::kNo;
}

}  // namespace

Command verify_command() {
  const auto options = std::make_shared<VerifyOptions>();
  Command command{
      .name = "verify",
      .summary = "Count what a bank denies and admits wrongly, exactly",
      .description =
          {"Every record is asked of every filter. A record is a negative of a group if its key is "
           "not in that group, however often and in whichever groups it occurs: the counts are "
           "exact. Keys and groups are made as the bank's recipe says, unless flags say otherwise.",
           "A group fails when it denies one of its own keys, or when its rate is surely above "
           "1.02 "
           "times its target, or the predicted rate where that is higher: by the lower end of "
           "Wilson's interval, taken so wide that a good bank fails in one of twenty verifications "
           "at most, however many groups it has. The interval shown is that of the group alone."},
      .arguments = {{.name = "BANK", .help = "bank to verify", .take = into(options->bank)},
                    file_argument(options->input)},
      .flags = {{.names = "--sample",
                 .value = "RATE",
                 .help = "ask about this share of the keys, chosen by key",
                 .fallback = "all",
                 .section = "What to ask",
                 .take = into_parsed(options->sample, parse_sample),
                 .is_basic = true},
                {.names = "--key-file",
                 .value = "FILE",
                 .help = "secret key of a bank built with --hash sip",
                 .section = "What to ask",
                 .take = into(options->key_file),
                 .complete = Complete::kFile}},
      .examples = {{"Does it keep its promise?", "bloomery verify ratings.bank ratings.tsv"},
                   {"One key in ten", "bloomery verify ratings.bank ratings.tsv --sample 10%"},
                   {"The counts for a spreadsheet",
                    "bloomery verify ratings.bank ratings.tsv --format csv"}},
      .statuses = {"no key denied, every rate kept", "a group failed", "error"},
      .run = [options](Console& console) { return run_verify_command(*options, console); },
  };
  for (auto list :
       {layout_flags(options->input), group_flags(options->input), reject_flags(options->input),
        task_flags(options->tasks, true), engine_flags(options->engine)}) {
    for (Flag& flag : list) command.flags.push_back(std::move(flag));
  }
  command.flags.push_back({.names = "-f,--force",
                           .help = "replace a --rejects file that exists",
                           .section = "Bad records",
                           .take = into(options->force)});
  return command;
}

}  // namespace bloomery::cli
