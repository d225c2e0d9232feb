// bloomery merge: several banks as one.
//
// Groups of one name are merged, the others stand side by side. What the merge does to the rates is
// printed; with --max-fpr it is computed before anything is written.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bank/container.h"
#include "base/error.h"
#include "base/file.h"
#include "base/same_file.h"
#include "bloomery/bank.h"
#include "cli/commands/commands.h"
#include "cli/output/bank_table.h"
#include "cli/output/console.h"
#include "cli/output/numbers.h"
#include "cli/result_flags.h"
#include "cli/signals.h"
#include "cli/values.h"

namespace bloomery::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> banks;
  std::string output;
  std::optional<double> max_fpr;
  bool force = false;
};

using Sources = std::map<std::string_view, std::vector<const BankEntry*>>;

Sources sources_of(const std::vector<Bank>& banks) {
  Sources sources;
  for (const Bank& bank : banks) {
    for (const BankEntry& entry : bank.entries()) sources[entry.group()].push_back(&entry);
  }
  return sources;
}

std::string fills_of(const std::vector<const BankEntry*>& entries) {
  std::vector<std::string> fills;
  fills.reserve(entries.size());
  for (const BankEntry* entry : entries) {
    fills.push_back(fmt::format("{:.3f}", static_cast<double>(entry->ones()) /
                                              static_cast<double>(entry->filter().spec().bits)));
  }
  return fmt::format("{}", fmt::join(fills, " + "));
}

Table table_columns() {
  return {.name = "groups",
          .columns = {{"group", "group", true},
                      {"keys", "keys"},
                      {"planned_keys", "planned"},
                      {"fills", "fills", true},
                      {"fill", "merged fill"},
                      {"fpr", "fpr"},
                      {"achieved_fpr", "merged fpr"}}};
}

std::vector<Cell> row_of(std::string_view group, const std::vector<const BankEntry*>& entries,
                         std::uint64_t keys, const FilterView& merged, std::uint64_t ones) {
  const FilterSpec& spec = merged.spec();
  return {Cell::bytes(group),
          Cell::count(keys),
          Cell::count(spec.planned_keys),
          Cell::text(fills_of(entries)),
          Cell::number(static_cast<double>(ones) / static_cast<double>(spec.bits)),
          Cell::rate(spec.fpr),
          Cell::rate(merged.achieved_fpr())};
}

Result<Filter> merged_filter(std::string_view group, const std::vector<const BankEntry*>& entries) {
  auto merged = Filter::copy_of(entries.front()->filter());
  if (!merged) return merged;
  for (const BankEntry* entry : std::span(entries).subspan(1)) {
    if (const auto added = merged->merge(entry->filter()); !added) {
      return make_error(added.error().code, "group \"{}\": {}", escaped(group),
                        added.error().message);
    }
  }
  return merged;
}

// The gate: merges group after group in memory. True when every rate stays within the limit; if
// not, the table shows the groups that do not.
Result<bool> is_within(const Sources& sources, double limit, Table& table) {
  for (const auto& [group, entries] : sources) {
    const auto merged = merged_filter(group, entries);
    if (!merged) return merged.error();
    std::uint64_t keys = 0;
    for (const BankEntry* entry : entries) keys += entry->count();
    if (merged->achieved_fpr() <= limit) continue;
    table.rows.push_back(row_of(group, entries, keys, *merged, merged->ones()));
    table.rows.back().back().is_alarm = true;
  }
  return table.rows.empty();
}

Result<ExitCode> refuse(const MergeOptions& options, const Table& table, std::size_t groups,
                        Console& console) {
  Report report{.tables = {table}};
  report.document["output"] = nullptr;
  report.document["bytes"] = 0;
  console.print(report);
  console.warn(fmt::format(
      "{} of {} groups would pass --max-fpr {}; nothing was written: build one bank from all the "
      "data, or accept with a higher --max-fpr",
      table.rows.size(), groups, percent(*options.max_fpr)));
  return ExitCode::kNo;
}

Result<ExitCode> show(const MergeOptions& options, const Sources& sources, Console& console) {
  const auto opened = open_bank(options.output, {.secret = {}, .allow_locked = true});
  if (!opened) return opened.error();
  const Bank* const merged = &opened->bank;
  Table table = table_columns();
  for (const BankEntry& entry : merged->entries()) {
    table.rows.push_back(row_of(entry.group(), sources.at(entry.group()), entry.count(),
                                entry.filter(), entry.ones()));
  }
  Report report{.tables = {table}};
  add_written(report, *merged, options.output,
              fmt::format("bloomery inspect {}", printable_path(options.output)));
  console.print(report);
  return ExitCode::kOk;
}

Result<void> write_merged_bank(const MergeOptions& options, const std::vector<Bank>& banks) {
  std::vector<const Bank*> pointers;
  pointers.reserve(banks.size());
  for (const Bank& bank : banks) pointers.push_back(&bank);
  return merge_banks(pointers, options.output,
                     {.recipe = {}, .metadata = {}, .overwrite = options.force});
}

// Containers of other systems stay what they are.
Result<void> write_merged_container(const MergeOptions& options, const Sources& sources) {
  std::vector<Filter> merged;
  std::vector<GroupFilter> filters;
  merged.reserve(sources.size());
  for (const auto& [group, entries] : sources) {
    auto filter = merged_filter(group, entries);
    if (!filter) return filter.error();
    merged.push_back(*std::move(filter));
    filters.push_back({group, &merged.back(), 0});
  }
  return write_container(options.output, filters, options.force);
}

Result<ExitCode> run_merge(const MergeOptions& options, Console& console) {
  const SignalGuard guard({options.output}, nullptr);
  if (const auto once = check_named_once(options.banks, "keys"); !once) return once.error();
  std::vector<Bank> banks;
  std::size_t containers = 0;
  for (const std::string& path : options.banks) {
    auto opened = open_bank(path, {.secret = {}, .allow_locked = true});
    if (!opened) return opened.error();
    banks.push_back(std::move(opened->bank));
    if (opened->container) ++containers;
  }
  const Sources sources = sources_of(banks);
  if (options.max_fpr) {
    Table table = table_columns();
    const auto within = is_within(sources, *options.max_fpr, table);
    if (!within) return within.error();
    if (!*within) return refuse(options, table, sources.size(), console);
  }
  const auto written = containers == banks.size() ? write_merged_container(options, sources)
                                                  : write_merged_bank(options, banks);
  if (!written) return written.error();
  return show(options, sources, console);
}

}  // namespace

Command merge_command() {
  const auto options = std::make_shared<MergeOptions>();
  return {
      .name = "merge",
      .summary = "Merge banks into one; say what that does to their rates",
      .description = {"Groups of one name are merged into one filter that holds the keys of all; "
                      "they must have been made alike (the same --plan-from). Groups that only one "
                      "bank has are taken over as they are. Containers of other systems "
                      "(bloomery formats) merge into one of theirs.",
                      "A merged filter holds more keys than it was made for, so its rate rises. "
                      "The table shows by how much; --max-fpr refuses to go beyond a rate."},
      .arguments = {{.name = "BANK",
                     .help = "banks to merge",
                     .max = SIZE_MAX,
                     .take = into(options->banks)}},
      .flags = {bank_output_flag(options->output),
                force_flag(options->force),
                {.names = "--max-fpr",
                 .value = "RATE",
                 .help = "write nothing if a merged rate would be above this",
                 .section = "Result",
                 .take = into_parsed(options->max_fpr, parse_rate),
                 .is_basic = true}},
      .examples = {{"Two days as one", "bloomery merge mon.bank tue.bank -o week.bank"},
                   {"Only if no rate passes 5 %",
                    "bloomery merge mon.bank tue.bank -o week.bank -f --max-fpr 5%"},
                   {"The rates as JSON",
                    "bloomery merge mon.bank tue.bank -o week.bank -f --json"}},
      .statuses = {"merged", "a merged rate would pass --max-fpr; nothing was written",
                   "a bank cannot be read, or they do not fit together"},
      .writes = true,
      .run = [options](Console& console) { return run_merge(*options, console); },
  };
}

}  // namespace bloomery::cli
