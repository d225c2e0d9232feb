// bloomery inspect: what is in these banks, and is every byte of them right?
//
// Opening a bank checks all of it, so whatever is printed here is of a whole bank. Exit status 1
// means: whole, but a filter holds more keys than it was made for.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bank/container.h"
#include "base/error.h"
#include "base/file.h"
#include "bloomery/bank.h"
#include "cli/bank_file.h"
#include "cli/commands/commands.h"
#include "cli/frame/parse.h"
#include "cli/hadoop_flags.h"
#include "cli/output/bank_table.h"
#include "cli/output/console.h"
#include "cli/output/numbers.h"
#include "cli/secret_file.h"
#include "cli/values.h"

namespace bloomery::cli {
namespace {

struct InspectOptions {
  std::string classpath;
  std::vector<std::string> banks;
  std::vector<std::string> only;
  std::string key_file;
  bool groups = false;
  bool verify = false;
};

// Opening has compared checksums; this counts the ones again and compares them with the header.
Result<void> recount(const Bank& bank, const std::string& path) {
  for (const BankEntry& entry : bank.entries()) {
    const std::uint64_t ones = entry.filter().ones();
    if (ones == entry.ones()) continue;
    return make_error(ErrorCode::kDamaged, "{}: group \"{}\": {} ones where the header says {}",
                      printable_path(path), escaped(entry.group()), ones, entry.ones());
  }
  return {};
}

std::string texts(const TextMap& map) {
  std::string out;
  for (const auto& [name, text] : map) {
    if (!out.empty()) out += ", ";
    out += fmt::format("{} {}", escaped(name), escaped(text));
  }
  return out.empty() ? "-" : out;
}

// A container has no checksums, and no sizes but its own.
std::string checks_of(const OpenedBank& opened, bool counts_again) {
  std::string checks = opened.container ? "every field, every length, no bit past the end: right"
                                        : "header, every block checksum, digest: right";
  if (counts_again) checks.insert(checks.size() - 7, ", ones counted again");
  return checks;
}

Report report_of(const std::string& path, const OpenedBank& opened, const Table& table,
                 const InspectOptions& options) {
  const Bank& bank = opened.bank;
  Report report;
  report.head = {{"bank", printable_path(path)},
                 {"size", fmt::format("{} bytes, {}", grouped(bank.file_size()),
                                      counted(bank.entries().size(), "group"))},
                 {"filters", describe_filters(bank)},
                 {"recipe", texts(bank.recipe())},
                 {"metadata", texts(bank.metadata())},
                 {"digest", digest_text(bank)},
                 {"checked", checks_of(opened, options.verify)}};
  if (opened.container) {
    report.head.insert(report.head.begin() + 1,
                       {"container", std::string(rules_of(*opened.container)->container.what)});
  }
  report.tables = {table};
  return report;
}

// Of all banks together.
struct Inspection {
  Json banks = Json::array();
  Table all = bank_table_columns();
  bool is_overfull = false;
};

Result<void> inspect_bank(const std::string& path, const InspectOptions& options,
                          const std::optional<SecretKey>& secret, Inspection& inspection,
                          Console& console) {
  const auto file = BankFile::fetch(path, options.classpath);
  if (!file) return file.error();
  const auto opened = open_bank(file->path(), {.secret = secret, .allow_locked = true});
  if (!opened) return file->named(opened.error());
  const Bank& bank = opened->bank;
  if (auto counted = options.verify ? recount(bank, path) : Result<void>(); !counted) {
    return counted;
  }
  const auto only = groups_named(bank, path, options.only);
  if (!only) return only.error();
  const Table table = bank_table(bank, path, *only);
  inspection.is_overfull = warn_of_overfull(bank, path, console) || inspection.is_overfull;
  if (console.is_json()) {
    inspection.banks.push_back(bank_json(path, bank, table));
  } else if (options.groups) {
    for (const auto& row : table.rows) console.out().put(escaped(row[1].shown, SIZE_MAX) + "\n");
  } else if (console.format() == Format::kTable) {
    if (path != options.banks.front()) console.out().put("\n");
    console.print(report_of(path, *opened, table, options));
  }
  auto& rows = inspection.all.rows;
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  return {};
}

Result<ExitCode> run_inspect(const InspectOptions& options, Console& console) {
  const auto secret = optional_secret(options.key_file);
  if (!secret) return secret.error();
  Inspection inspection;
  for (const std::string& path : options.banks) {
    const auto shown = inspect_bank(path, options, *secret, inspection, console);
    if (!shown) return shown.error();
  }
  if (console.is_json()) {
    Report report;
    report.document["banks"] = std::move(inspection.banks);
    console.print(report);
  } else if (console.format() != Format::kTable && !options.groups) {
    console.print({.tables = {inspection.all}});
  }
  return inspection.is_overfull ? ExitCode::kNo : ExitCode::kOk;
}

}  // namespace

Command inspect_command() {
  const auto options = std::make_shared<InspectOptions>();
  return {
      .name = "inspect",
      .summary = "Show what is in banks: filters, fill, keys, rates",
      .description = {"Opening a bank checks it from the first byte to the last; a damaged one is "
                      "refused with the place of the damage. A bank with a secret key can be "
                      "inspected without the key.",
                      "The keys are records that were used, also those of equal keys; the estimate "
                      "comes from the fill and counts each key once. Achieved fpr is the rate that "
                      "the bits give as they are."},
      .arguments =
          {{.name = "BANK", .help = "bank files", .max = SIZE_MAX, .take = into(options->banks)}},
      .flags = {{.names = "--groups",
                 .help = "only the names of the groups, one a line",
                 .section = "What to show",
                 .take = into(options->groups),
                 .is_basic = true},
                {.names = "--only",
                 .value = "GROUP",
                 .help = "only this group",
                 .section = "What to show",
                 .take = into(options->only),
                 .complete = Complete::kGroup,
                 .is_basic = true,
                 .is_repeatable = true},
                {.names = "--verify",
                 .help = "count the ones of every table again, too",
                 .section = "What to show",
                 .take = into(options->verify),
                 .is_basic = true},
                {.names = "--key-file",
                 .value = "FILE",
                 .help = "check that this is the secret key of the bank",
                 .section = "What to show",
                 .take = into(options->key_file),
                 .complete = Complete::kFile},
                classpath_flag(options->classpath)},
      .examples = {{"What is in a bank", "bloomery inspect ratings.bank"},
                   {"Check every byte of it twice", "bloomery inspect --verify ratings.bank"},
                   {"The names of its groups", "bloomery inspect --groups ratings.bank"},
                   {"One group, for a program", "bloomery inspect ratings.bank --only 9 --json"}},
      .statuses = {"the banks are whole",
                   "whole, but a filter with more keys than planned has 1.5 times its rate",
                   "a bank cannot be read or is damaged"},
      .run = [options](Console& console) { return run_inspect(*options, console); },
  };
}

}  // namespace bloomery::cli
