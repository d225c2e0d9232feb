// bloomery report: what runs found, in words, tables and charts.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <set>
#include <string>

#include "base/atomic_file.h"
#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/frame/parse.h"
#include "cli/input_flags.h"
#include "cli/output/console.h"
#include "cli/output/numbers.h"
#include "cli/report/page.h"
#include "cli/result_flags.h"
#include "cli/signals.h"
#include "cli/study/identity.h"
#include "cli/study/run_file.h"
#include "cli/values.h"

namespace bloomery::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> runs;
  std::vector<std::string> tables;  // empty: all
  std::string output;
  std::string title;
  bool force = false;
};

std::string name_of(const std::string& path) {
  return path == "-" ? "standard input" : printable_path(path);
}

// Which line of which file a fact is, for messages.
struct Source {
  FactList list;
  std::size_t at;
  std::string where;
};

struct Read {
  Facts facts;
  std::vector<Source> sources;
  std::set<std::string> runs;  // their identities
};

Result<std::vector<JsonLine>> lines_of(const std::string& path, const Console& console) {
  auto text = read_text(path);
  if (!text) return text.error();
  if (const std::size_t torn = torn_line(*text); torn < text->size()) {
    console.warn(fmt::format("{}: its last line is cut off, as when a study is stopped; left out",
                             name_of(path)));
    text->resize(torn);
  }
  return parse_lines(*text, path == "-" ? "standard input" : path);
}

// Adds the lines of one file; runs that were there before count once.
Result<void> read_file(const std::string& path, Read& read, const Console& console) {
  auto lines = lines_of(path, console);
  if (!lines) return lines.error();
  std::uint64_t again = 0;
  for (JsonLine& line : *lines) {
    std::string where = fmt::format("{}: line {}", name_of(path), line.number);
    const auto list = add_line(read.facts, std::move(line.value));
    if (!list) return make_error(list.error().code, "{}: {}", where, list.error().message);
    std::vector<Json>& facts = read.facts.**list;
    if (*list == &Facts::runs && !read.runs.insert(run_identity(facts.back())).second) {
      facts.pop_back();
      ++again;
      continue;
    }
    read.sources.push_back({*list, facts.size() - 1, std::move(where)});
  }
  if (again > 0) {
    console.warn(
        fmt::format("{}: {} given twice, counted once", name_of(path), counted(again, "run")));
  }
  return {};
}

Result<Read> read_facts(const ReportOptions& options, const Console& console) {
  Read read;
  for (const std::string& path : options.runs) {
    if (const auto added = read_file(path, read, console); !added) return added.error();
  }
  if (!read.facts.is_empty()) return read;
  return make_error(ErrorCode::kInvalidArgument, "{}: there is no run in it",
                    name_of(options.runs.front()));
}

// What a schema says of the inside of tables is found out by using them; if that fails, by using
// one line after the other.
Result<std::vector<ReportSection>> make_sections(const Read& read) try {
  return sections_of(read.facts);
} catch (const Json::exception& all) {
  const auto wrong = [](const std::string& where, const Json::exception& error) {
    return make_error(ErrorCode::kDamaged,
                      "{}: is not as docs/schema has it: {}; was it changed by hand?", where,
                      error.what());
  };
  for (const Source& source : read.sources) {
    Facts one;
    (one.*source.list).push_back((read.facts.*source.list)[source.at]);
    try {
      static_cast<void>(sections_of(one));
    } catch (const Json::exception& error) {
      return wrong(source.where, error);
    }
  }
  return wrong("a line", all);
}

// Which tables there are depends on the runs.
Result<std::vector<ReportSection>> choose_tables(const ReportOptions& options,
                                                 std::vector<ReportSection> sections) {
  if (options.tables.empty()) return sections;
  std::vector<std::string> names;
  names.reserve(sections.size());
  for (const ReportSection& section : sections) names.push_back(section.table.name);
  for (const std::string& name : options.tables) {
    if (std::ranges::find(names, name) != names.end()) continue;
    return make_error(ErrorCode::kInvalidArgument, "--table {}: these runs have {}{}",
                      escaped(name), one_of(names), suggestion(name, names, ""));
  }
  std::erase_if(sections, [&](const ReportSection& section) {
    return std::ranges::find(options.tables, section.table.name) == options.tables.end();
  });
  return sections;
}

std::string title_of(const ReportOptions& options, const Facts& facts) {
  if (!options.title.empty()) return options.title;
  for (const Json& run : facts.runs) {
    if (std::string title = run.value("title", ""); !title.empty()) return title;
  }
  return "bloomery report";
}

Result<void> write_page(const ReportOptions& options, const std::string& page) {
  auto file = AtomicFile::create(options.output, options.force);
  if (!file) return file.error();
  if (auto sized = file->resize(page.size()); !sized) return sized;
  if (auto written = file->write(0, std::as_bytes(std::span(page))); !written) return written;
  return file->commit();
}

Result<void> check_output(const ReportOptions& options) {
  if (options.output == "-") {
    return make_error(ErrorCode::kInvalidArgument, "--output -: a page is a file; name one");
  }
  for (const std::string& path : options.runs) {
    if (options.output.empty() || path == "-" || !is_same_file(path, options.output)) continue;
    return make_error(ErrorCode::kInvalidArgument,
                      "--output {}: is an input, too; name another file",
                      printable_path(options.output));
  }
  return {};
}

Result<ExitCode> run_report(const ReportOptions& options, Console& console) {
  if (const auto fine = check_output(options); !fine) return fine.error();
  const auto read = read_facts(options, console);
  if (!read) return read.error();
  auto made = make_sections(*read);
  if (!made) return made.error();
  const auto chosen = choose_tables(options, *std::move(made));
  if (!chosen) return chosen.error();
  const std::vector<ReportSection>& sections = *chosen;
  const std::string title = title_of(options, read->facts);
  if (options.output.empty()) {
    Report report;
    report.document["title"] = title;
    report.document["findings"] = findings_of(sections);
    for (const std::string& finding : findings_of(sections)) report.head.push_back({"-", finding});
    for (const ReportSection& section : sections) report.tables.push_back(section.table);
    console.print(report);
    return ExitCode::kOk;
  }
  const SignalGuard guard({options.output}, nullptr);
  const PageFacts page{title, options.runs,
                       fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)))};
  const std::string text = report_page(sections, page);
  if (const auto written = write_page(options, text); !written) return written.error();
  if (!has_charts()) {
    console.warn(
        "no charts: this bloomery was built without Vega-Lite, which the build takes from npm");
  }
  console.note(fmt::format("wrote {}   {}   {}, opens without a network",
                           printable_path(options.output), size_text(text.size()),
                           counted(sections.size(), "section")));
  return ExitCode::kOk;
}

}  // namespace

Command report_command() {
  const auto options = std::make_shared<ReportOptions>();
  return {
      .name = "report",
      .summary = "Make a page of runs: words, tables and charts in one file",
      .description =
          {"Takes the files that study records, and what bench, build and verify print with "
           "--json, "
           "together or alone. With --output it writes one HTML file that opens without a network; "
           "without, it prints the same findings and tables.",
           "The page has the rate of every group with its interval, fill, bits per key, bytes and "
           "time along every axis that was swept, speed-up, filters against hash sets, and bad "
           "records by kind, as far as the runs have them; under each chart its numbers, which can "
           "be downloaded as CSV."},
      .arguments = {{.name = "RUNS",
                     .help = "JSON lines of study, bench, build or verify; - is standard input",
                     .max = SIZE_MAX,
                     .take = into(options->runs)}},
      .flags = {{.names = "-o,--output",
                 .value = "FILE",
                 .help = "HTML file to write",
                 .fallback = "tables on standard output",
                 .section = "Result",
                 .take = into(options->output),
                 .complete = Complete::kFile,
                 .is_basic = true},
                {.names = "--title",
                 .value = "TEXT",
                 .help = "heading of the page",
                 .fallback = "the study's",
                 .section = "Result",
                 .take = into(options->title),
                 .is_basic = true},
                {.names = "--table",
                 .value = "TABLE",
                 .help = "only this table, as points or time_fpr",
                 .section = "Result",
                 .take = into(options->tables),
                 .is_repeatable = true},
                force_flag(options->force, "replace a file that exists")},
      .examples = {{"Did the bank keep its promise?",
                    "bloomery verify ratings.bank ratings.tsv --json > verified.json && bloomery "
                    "report verified.json -o report.html"},
                   {"The same in the terminal", "bloomery report verified.json"},
                   {"A study", "bloomery report small.jsonl verified.json -f -o report.html"},
                   {"One table for another program",
                    "bloomery report small.jsonl --table points --format csv"}},
      .writes = true,
      .run = [options](Console& console) { return run_report(*options, console); },
  };
}

}  // namespace bloomery::cli
