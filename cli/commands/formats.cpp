// bloomery formats: what can be read, written and checked.
#include <array>
#include <memory>
#include <string>

#include "cli/commands/commands.h"
#include "cli/output/console.h"
#include "dialect/rules.h"

namespace bloomery::cli {
namespace {

struct FormatRow {
  const char* name;
  const char* holds;  // "filters" or "records"
  bool read;
  bool write;
  bool verify;
  const char* note;
};

constexpr auto kFormats = std::to_array<FormatRow>({
    {"bank", "filters", true, true, true, "format 1; docs/format.md"},
    {"delimited text", "records", true, true, false, "TSV, CSV with quotes, any delimiter"},
    {"lines", "records", true, true, false, "the whole line is the key"},
    {"JSON lines", "records", true, true, false, "one object a line"},
    {"gzip", "records", true, false, true, "any of the texts above; several members"},
    {"zstd", "records", true, false, true, "any of the texts above; several frames"},
    {"Parquet, ORC, Avro", "records", false, false, false,
     "recognised; the Python package reads them"},
});

Cell yes_or_no(bool value) {
  return {.value = value, .shown = value ? "yes" : "-"};
}

Result<ExitCode> run_formats(Console& console) {
  Table table{.name = "formats",
              .columns = {{"name", "format", true},
                          {"holds", "holds", true},
                          {"read", "read", true},
                          {"write", "write", true},
                          {"verify", "verify", true},
                          {"note", "note", true}}};
  for (const DialectRules* rules : all_rules()) {
    table.rows.push_back({Cell::text(std::string(rules->name)), Cell::text("filters"),
                          yes_or_no(true), yes_or_no(true), yes_or_no(false),
                          Cell::text(std::string(rules->container.what))});
  }
  for (const FormatRow& row : kFormats) {
    table.rows.push_back({Cell::text(row.name), Cell::text(row.holds), yes_or_no(row.read),
                          yes_or_no(row.write), yes_or_no(row.verify), Cell::text(row.note)});
  }
  console.print({.tables = {table}});
  return ExitCode::kOk;
}

}  // namespace

Command formats_command() {
  return {
      .name = "formats",
      .summary = "List what can be read, written and checked",
      .description =
          {"Formats are told apart by content, never by the name of a file. Verify "
           "means that damage is found when the file is read; containers of other systems "
           "(--dialect) have no checksums, so only lengths and fields can be checked."},
      .examples = {{"The list", "bloomery formats"},
                   {"For a program", "bloomery formats --json"},
                   {"For a document", "bloomery formats --format md"}},
      .run = run_formats,
  };
}

}  // namespace bloomery::cli
