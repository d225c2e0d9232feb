// bloomery import: filters of other systems as one bank.
#include <fmt/format.h>

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

struct ImportOptions {
  std::vector<std::string> files;
  std::string output;
  std::string dialect;
  std::string group;
  bool force = false;
};

Result<std::vector<Bank>> read_all(const ImportOptions& options) {
  if (!options.group.empty() && options.files.size() > 1) {
    return make_error(ErrorCode::kInvalidArgument,
                      "--group {}: is for one file, and {} are given; leave it out, and groups get "
                      "the names of the files",
                      escaped(options.group), options.files.size());
  }
  std::vector<Bank> banks;
  for (const std::string& path : options.files) {
    ContainerOptions container;
    if (!options.dialect.empty()) container.dialect = dialect_from_string(options.dialect);
    container.group =
        options.group.empty() ? std::filesystem::path(path).stem().string() : options.group;
    auto read = import_filters(path, container);
    if (!read) return read.error();
    for (Bank& bank : *read) banks.push_back(std::move(bank));
  }
  return banks;
}

Result<ExitCode> run_import(const ImportOptions& options, Console& console) {
  const SignalGuard guard({options.output}, nullptr);
  const auto banks = read_all(options);
  if (!banks) return banks.error();
  std::vector<const Bank*> pointers;
  for (const Bank& bank : *banks) pointers.push_back(&bank);
  const auto merged = merge_banks(pointers, options.output,
                                  {.recipe = {}, .metadata = {}, .overwrite = options.force});
  if (!merged) return merged.error();
  const auto bank = Bank::open(options.output);
  if (!bank) return bank.error();
  Report report{.tables = {bank_table(*bank, options.output, {})}};
  add_written(report, *bank, options.output,
              fmt::format("bloomery query {} KEY", printable_path(options.output)));
  console.print(report);
  console.note("the numbers of keys are estimates from the bits: these containers hold none");
  return ExitCode::kOk;
}

}  // namespace

Command import_command() {
  const auto options = std::make_shared<ImportOptions>();
  return {
      .name = "import",
      .summary = "Make a bank of filters that other systems wrote",
      .description =
          {"The filters keep their dialect: the bank is asked with the other system's hash and "
           "positions, and bloomery export gives the same bytes back. Files can also be asked as "
           "they are, by query, inspect, verify and merge.",
           "A container without names gives its filter the name of the file, without folder and "
           "extension. Containers hold no counts: keys are estimated from the bits. Filters of one "
           "name are merged."},
      .arguments = {{.name = "FILE",
                     .help = "containers, or folders that export has written",
                     .max = SIZE_MAX,
                     .take = into(options->files)}},
      .flags = {bank_output_flag(options->output),
                force_flag(options->force),
                {.names = "--dialect",
                 .value = "NAME",
                 .help = "whose containers these are",
                 .fallback = "by content",
                 .section = "What to read",
                 .choices = foreign_dialect_names(),
                 .take = into(options->dialect),
                 .is_basic = true},
                {.names = "--group",
                 .value = "GROUP",
                 .help = "name of a filter that has none",
                 .fallback = "name of the file",
                 .section = "What to read",
                 .take = into(options->group),
                 .is_basic = true}},
      .examples = {{"A filter that Hadoop wrote", "bloomery import words.bloom -o imported.bank"},
                   {"Under another name",
                    "bloomery import words.bloom --group english -o english.bank"},
                   {"A folder that export has written", "bloomery import filters -o folder.bank"}},
      .writes = true,
      .run = [options](Console& console) { return run_import(*options, console); },
  };
}

}  // namespace bloomery::cli
