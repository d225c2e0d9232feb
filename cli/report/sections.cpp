#include "cli/report/sections.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/error.h"
#include "cli/output/numbers.h"
#include "cli/report/origins.h"
#include "cli/study/settings.h"
#include "cli/study/study.h"

namespace bloomery::cli {
namespace {

std::string machine_text(const Json& run) {
  const Json& machine = run.at("machine");
  const Json& versions = run.at("versions");
  return fmt::format("{}, {} threads; bloomery {} ({}), {}",
                     machine.value("processor", "unknown processor"), machine.value("threads", 0),
                     versions.value("bloomery", "?"), versions.value("commit", "?"),
                     versions.value("compiler", "?"));
}

std::string joined(const std::set<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "; "));
}

// Files of runs come from anywhere: what a terminal would obey is spelled out.
std::string printable(std::string text) {
  const auto is_control = [&](std::size_t i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    if (byte < 0x20 || byte == 0x7F) return true;
    // U+0080 to U+009F
    return byte == 0xC2 && i + 1 < text.size() && static_cast<std::uint8_t>(text[i + 1]) < 0xA0;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control(i)) return escaped(text, SIZE_MAX);
  }
  return text;
}

void make_printable(ReportSection& section) {
  for (std::string& words : section.words) words = printable(std::move(words));
  for (auto& row : section.table.rows) {
    for (Cell& cell : row) {
      if (!cell.is_bytes) cell.shown = printable(std::move(cell.shown));
    }
  }
}

// Empty where all runs are of one origin.
std::string origins_text(const std::vector<Point>& points) {
  std::set<std::string> origins;
  for (const Point& point : points) origins.insert(point.origin);
  if (origins.size() < 2) return {};
  std::vector<std::string> names;
  names.reserve(origins.size());
  for (const std::string& origin : origins) names.push_back(origin.empty() ? "the rest" : origin);
  return fmt::format(
      "Runs differ in more than their settings, and are shown apart, never as one number: {}.",
      fmt::join(names, "; "));
}

// A name as a chart can have it. Objects of JavaScript take "__proto__" for something else than a
// name, so one like it gets a space of no width in front.
std::string chart_name(std::string_view name) {
  const std::string text = escaped(name, SIZE_MAX);
  return text.starts_with("__") ? "\u200b" + text : text;
}

}  // namespace

Json chart_values(const Table& table) {
  Json values = Json::array();
  for (const auto& row : table.rows) {
    Json value = Json::object();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& name = table.columns[i].name;
      if (name.empty()) continue;
      value[name] = row[i].is_bytes ? Json(chart_name(row[i].shown)) : row[i].value;
    }
    values.push_back(std::move(value));
  }
  return values;
}

void add_banks(std::vector<ReportSection>& sections, const Facts& facts) {
  if (facts.runs.empty()) return;
  struct Banks {
    std::uint64_t runs = 0;
    std::set<std::string> engines;
    std::set<std::string> digests;
  };
  std::map<std::pair<std::string, std::string>, Banks> specs;
  const Origins origins(facts);
  std::set<std::string> machines;
  std::set<std::string> engines;
  for (const Json& run : facts.runs) {
    Banks& banks = specs[{run.at("plan"), spec_of(run.at("settings"))}];
    ++banks.runs;
    banks.engines.insert(run["settings"].at("engine"));
    banks.digests.insert(run.at("bank_sha256"));
    engines.insert(run["settings"].at("engine"));
    machines.insert(machine_text(run));
  }
  ReportSection section{"banks", "One bank a spec"};
  section.table = {.name = "banks",
                   .columns = {{"spec", "spec", true},
                               {"runs", "runs"},
                               {"engines", "engines", true},
                               {"is_one", "verdict", true},
                               {"bank_sha256", "SHA-256 of the bank", true}}};
  std::uint64_t bad = 0;
  for (const auto& [key, banks] : specs) {
    const bool is_one = banks.digests.size() == 1;
    if (!is_one) ++bad;
    const std::string data = origins.of_plan(key.first);
    section.table.rows.push_back(
        {Cell::text(data.empty() ? key.second : key.second + ", " + data), Cell::count(banks.runs),
         Cell::text(fmt::format("{}", fmt::join(banks.engines, ", "))),
         Cell::flag(is_one, "one bank", "DIFFERENT BANKS"), Cell::text(joined(banks.digests))});
  }
  section.words.push_back(
      bad == 0 ? fmt::format(
                     "{} of {} on {}: every spec gave one bank to the byte, whatever the engine, "
                     "the tasks and the strategy.",
                     counted(facts.runs.size(), "run"), counted(specs.size(), "spec"),
                     fmt::format("{}", fmt::join(engines, " and ")))
               : fmt::format("{} of {} gave different banks: something is wrong.",
                             counted(bad, "spec"), grouped(specs.size())));
  section.words.push_back(fmt::format("Measured on {}.", joined(machines)));
  sections.push_back(std::move(section));
}

std::vector<ReportSection> sections_of(const Facts& facts) {
  std::vector<ReportSection> sections;
  const std::vector<Point> points = points_of(facts);
  add_rates(sections, facts);
  add_fill(sections, facts);
  add_bits_per_key(sections, facts);
  add_bytes(sections, points);
  add_times(sections, points);
  add_speed_up(sections, facts, points);
  add_set_comparison(sections, facts);
  add_error_sweep(sections, facts);
  add_bad_records(sections, facts);
  add_banks(sections, facts);
  if (!points.empty()) {
    sections.push_back({.id = "points",
                        .title = "Every setting",
                        .words = {origins_text(points), "What the charts above are drawn from."},
                        .table = points_table(points)});
  }
  for (ReportSection& section : sections) make_printable(section);
  return sections;
}

std::vector<std::string> findings_of(const std::vector<ReportSection>& sections) {
  std::vector<std::string> findings;
  for (const ReportSection& section : sections) {
    if (!section.words.empty() && !section.words.front().empty()) {
      findings.push_back(section.words.front());
    }
  }
  return findings;
}

}  // namespace bloomery::cli
