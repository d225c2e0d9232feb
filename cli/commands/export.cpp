// bloomery export: filters of a bank in the container of the system whose dialect they have.
//
// A container that holds one filter takes one group. For more there is a folder: numbered files,
// because groups may be named anything, and a list that says which group each of them is.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bank/container.h"
#include "bank/container_folder.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/commands/commands.h"
#include "cli/filter_flags.h"
#include "cli/output/bank_table.h"
#include "cli/output/console.h"
#include "cli/output/numbers.h"
#include "cli/result_flags.h"
#include "cli/signals.h"
#include "cli/values.h"

namespace bloomery::cli {
namespace {

struct ExportOptions {
  std::string bank;
  std::string output;
  std::vector<std::string> only;
  std::string dialect;
  bool force = false;
};

// The groups asked for, all of the dialect asked for.
Result<std::vector<GroupFilter>> chosen(const Bank& bank, const ExportOptions& options,
                                        const std::vector<std::string>& only) {
  std::vector<GroupFilter> filters;
  for (const BankEntry& entry : bank.entries()) {
    if (!only.empty() && std::ranges::find(only, entry.group()) == only.end()) continue;
    const Dialect own = entry.filter().spec().dialect;
    if (!options.dialect.empty() && to_string(own) != options.dialect) {
      return make_error(ErrorCode::kMismatch,
                        "{}: group \"{}\" was built with --dialect {}, and a filter cannot change "
                        "its dialect; build it with --dialect {}",
                        printable_path(options.bank), escaped(entry.group()), to_string(own),
                        options.dialect);
    }
    filters.push_back({entry.group(), &entry.filter(), entry.count()});
  }
  return filters;
}

Table table_of(const std::vector<ExportedFile>& files) {
  Table table{
      .name = "groups",
      .columns = {
          {"group", "group", true}, {"file", "file", true}, {"bits", "bits"}, {"hashes", "k"}}};
  for (const ExportedFile& file : files) {
    table.rows.push_back({Cell::bytes(file.group), Cell::bytes(file.file),
                          Cell::count(file.filter->spec().bits),
                          Cell::count(file.filter->spec().hashes)});
  }
  return table;
}

Result<ExitCode> run_export(const ExportOptions& options, Console& console) {
  const SignalGuard guard({options.output}, nullptr);
  const auto opened = open_bank(options.bank, {.secret = {}, .allow_locked = true});
  if (!opened) return opened.error();
  const auto only = groups_named(opened->bank, options.bank, options.only);
  if (!only) return only.error();
  const auto filters = chosen(opened->bank, options, *only);
  if (!filters) return filters.error();
  const auto files = export_filters(options.output, *filters, options.force);
  if (!files) return files.error();
  const Dialect dialect = filters->front().filter->spec().dialect;
  Report report{.tables = {table_of(*files)}};
  put_bytes(report.document, "output", options.output);
  report.document["dialect"] = to_string(dialect);
  report.foot = {
      {"wrote",
       fmt::format("{}   {}", printable_path(options.output), rules_of(dialect)->container.what)},
      {"next",
       fmt::format("bloomery inspect {}",
                   printable_path(files->size() == 1 || files->front().file == options.output
                                      ? options.output
                                      : files->front().file))}};
  console.print(report);
  return ExitCode::kOk;
}

}  // namespace

Command export_command() {
  const auto options = std::make_shared<ExportOptions>();
  return {
      .name = "export",
      .summary = "Write filters in the container of another system",
      .description =
          {"The bank must have been built with --dialect: whose hash and positions a filter has is "
           "decided when it is built. The other system then loads the file as its own.",
           "Where a container holds one filter and the bank has several groups, the output is a "
           "new "
           "folder with a numbered file for each group, and groups.json, which names them. "
           "bloomery formats lists the dialects."},
      .arguments = {{.name = "BANK",
                     .help = "bank to take filters from",
                     .take = into(options->bank)}},
      .flags = {{.names = "-o,--output",
                 .value = "FILE",
                 .help = "file to write, or a folder for several groups",
                 .section = "Result",
                 .take = into(options->output),
                 .complete = Complete::kFile,
                 .is_required = true},
                force_flag(options->force, "replace the output if it exists; never a folder"),
                {.names = "--only",
                 .value = "GROUP",
                 .help = "only this group",
                 .section = "What to write",
                 .take = into(options->only),
                 .complete = Complete::kGroup,
                 .is_basic = true,
                 .is_repeatable = true},
                {.names = "--dialect",
                 .value = "NAME",
                 .help = "fail unless the filters have this dialect",
                 .section = "What to write",
                 .choices = foreign_dialect_names(),
                 .take = into(options->dialect),
                 .is_basic = true}},
      .examples = {{"A filter for Hadoop",
                    "bloomery generate words -o list.txt; "
                    "bloomery build list.txt --dialect hadoop -o hadoop.bank; "
                    "bloomery export hadoop.bank -o words.bloom"},
                   {"All groups for Spark, into a folder",
                    "bloomery build ratings.tsv --key tconst --group 'round(averageRating)' "
                    "--dialect spark -o spark.bank && bloomery export spark.bank -o filters"},
                   {"One of them", "bloomery export spark.bank --only 9 -o nines.bloom"}},
      .writes = true,
      .run = [options](Console& console) { return run_export(*options, console); },
  };
}

}  // namespace bloomery::cli
