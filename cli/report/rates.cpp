// Sections about filters: do they keep their rates, how full are they, what do they weigh?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "cli/output/numbers.h"
#include "cli/report/origins.h"
#include "cli/report/sections.h"
#include "cli/study/settings.h"

namespace bloomery::cli {
namespace {

// More groups than this are for programs to read: the worst are drawn and listed.
constexpr std::size_t kShownGroups = 500;
// Pictures side by side.
constexpr std::size_t kShownBanks = 12;
// Of the tables below.
constexpr std::size_t kRateColumn = 6;
constexpr std::size_t kFillColumn = 5;  // what is expected comes next

// The groups of one bank, by the spec or the file they come from.
struct Bank {
  std::string label;
  std::string kind;    // empty: not known
  std::string hashes;  // "optimal", or what was asked for; empty: not known
  const Json* groups = nullptr;
};

std::string file_label(const Json& document, const std::string& name) {
  return escaped(bytes_cell(document, name).shown);
}

// One of each bank that runs made, though they may have been run on many machines; the verified
// one where there is one. Runs of one spec with different banks are an error of its own, and each
// of them is shown.
std::vector<Bank> studied_banks(const Facts& facts) {
  const Origins origins(facts);
  std::map<std::tuple<std::string, std::string, std::string>, const Json*> banks;
  std::map<std::pair<std::string, std::string>, std::size_t> of_spec;
  for (const Json& run : facts.runs) {
    if (run.at("groups").is_null()) continue;
    const std::string spec = spec_of(run.at("settings"));
    const auto [known, is_new] =
        banks.try_emplace({run.at("plan"), spec, run.at("bank_sha256")}, &run);
    if (is_new) ++of_spec[{run.at("plan"), spec}];
    if (known->second->at("verify_seconds").is_null()) known->second = &run;
  }
  std::vector<Bank> found;
  for (const auto& [key, run] : banks) {
    const auto& [plan, spec, digest] = key;
    std::string label = spec;
    if (const std::string data = origins.of_plan(plan); !data.empty()) label += ", " + data;
    if (of_spec[{plan, spec}] > 1) label += fmt::format(", bank {:.8}", digest);
    const Json& settings = run->at("settings");
    found.push_back(
        {label, settings.at("kind"), value_text(settings, "hashes"), &run->at("groups")});
  }
  return found;
}

std::vector<Bank> built_banks(const Facts& facts) {
  std::vector<Bank> banks = studied_banks(facts);
  std::set<std::string> seen;
  for (const Json& build : facts.builds) {
    if (build.contains("dry_run")) continue;
    const Json& groups = build.at("groups");
    // Documents of earlier versions do not say.
    const std::string kind = groups.empty() ? "" : groups.front().value("kind", "");
    banks.push_back({distinct(seen, file_label(build, "output")), kind, "", &groups});
  }
  // By kind, rate and number of hashes, files last.
  const auto order = [](const Bank& bank) {
    const bool is_empty = bank.groups->empty();
    return std::tuple(bank.hashes.empty(), bank.kind,
                      is_empty ? 0.0 : bank.groups->front().at("fpr").get<double>(), bank.label);
  };
  std::ranges::stable_sort(banks, {}, order);
  return banks;
}

std::vector<Bank> verified_banks(const Facts& facts) {
  std::vector<Bank> banks = built_banks(facts);
  std::erase_if(banks, [](const Bank& bank) {
    return bank.groups->empty() || !bank.groups->front().contains("false_positives");
  });
  std::set<std::string> seen;
  for (const Json& verify : facts.verifies) {
    banks.push_back({distinct(seen, file_label(verify, "bank")), "", "", &verify.at("groups")});
  }
  return banks;
}

using Row = std::vector<Cell>;

// Rows of groups, in the order of people, and no more than can be read: those with the highest
// `value`, which are `which` in words.
void finish_groups(ReportSection& section, double (*value)(const Row&), std::string_view which) {
  Table& table = section.table;
  if (table.rows.size() <= kShownGroups) {
    table = in_order_for_people(std::move(table));
    return;
  }
  section.words.push_back(fmt::format("Of {} rows these are the {} {}; the files of runs have all.",
                                      grouped(table.rows.size()), kShownGroups, which));
  std::ranges::stable_sort(table.rows, std::ranges::greater{}, value);
  table.rows.resize(kShownGroups);
}

double number_at(const Row& row, std::size_t column) {
  return row[column].value.is_number() ? row[column].value.get<double>() : 0;
}

// Those that failed come first, so that none of them is left out.
double rate_or_failed(const Row& row) {
  const bool has_failed = row.back().value.is_boolean() && !row.back().value.get<bool>();
  return has_failed ? HUGE_VAL : number_at(row, kRateColumn);
}

double fill_off_expected(const Row& row) {
  return std::abs(number_at(row, kFillColumn) - number_at(row, kFillColumn + 1));
}

// A name as a chart can have it. Objects of JavaScript take "__proto__" for something else than a
// name, so one like it gets a space of no width in front.
std::string chart_name(std::string_view name) {
  const std::string text = escaped(name, SIZE_MAX);
  return text.starts_with("__") ? "\u200b" + text : text;
}

// The shown texts, so that a chart says what the table says.
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

// The banks of which pictures are drawn: of many those that have the highest `most`, of equal ones
// the first.
std::set<std::string> drawn_banks(const std::map<std::string, double>& most) {
  std::vector<std::pair<std::string, double>> banks(most.begin(), most.end());
  std::ranges::stable_sort(banks, std::ranges::greater{}, &std::pair<std::string, double>::second);
  if (banks.size() > kShownBanks) banks.resize(kShownBanks);
  std::set<std::string> drawn;
  for (const auto& bank : banks) drawn.insert(bank.first);
  return drawn;
}

// One picture for each bank, side by side, with scales of its own. Of many banks those are drawn
// that have the highest `value` in a row.
Json faceted(Json layers, ReportSection& section, const std::function<double(const Json&)>& value) {
  Json values = Json::array();
  const Json rows = chart_values(section.table);
  std::map<std::string, double> banks;
  for (const Json& row : rows) {
    double& most = banks[row.at("bank")];
    most = std::max(most, value(row));
  }
  const std::set<std::string> drawn = drawn_banks(banks);
  std::ranges::copy_if(rows, std::back_inserter(values),
                       [&](const Json& row) { return drawn.contains(row.at("bank")); });
  if (banks.size() > kShownBanks) {
    section.words.push_back(
        fmt::format("Of {} banks those {} are drawn that are furthest off; the table has all.",
                    grouped(banks.size()), kShownBanks));
  }
  Json unit = {{"layer", std::move(layers)}};
  Json spec;
  if (banks.size() > 1) {
    spec = {
        {"facet", {{"field", "bank"}, {"type", "nominal"}, {"title", nullptr}, {"sort", nullptr}}},
        {"columns", 3},
        {"spec", std::move(unit)},
        // Each with the groups that it has.
        {"resolve", {{"scale", {{"x", "independent"}, {"y", "independent"}}}}}};
  } else {
    spec = std::move(unit);
  }
  spec["data"] = {{"values", std::move(values)}};
  return spec;
}

constexpr const char* kRateLayers = R"([
  {"mark": {"type": "tick", "thickness": 2, "color": "target"},
   "encoding": {"x": {"field": "group", "type": "nominal", "sort": null, "title": "group", "axis": {"labelAngle": 0, "labelOverlap": true}},
                "y": {"field": "target", "type": "quantitative", "scale": {"zero": false}, "title": "false-positive rate", "axis": {"format": "~%"}}}},
  {"mark": {"type": "rule", "strokeWidth": 2},
   "encoding": {"x": {"field": "group", "type": "nominal", "sort": null}, "y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"},
                "color": {"value": "series0"}}},
  {"mark": {"type": "point", "filled": true, "size": 55, "opacity": 1},
   "encoding": {"x": {"field": "group", "type": "nominal", "sort": null}, "y": {"field": "rate", "type": "quantitative"}, "color": {"value": "series0"},
                "tooltip": [{"field": "bank"}, {"field": "group"}, {"field": "rate", "format": ".4%"}, {"field": "low", "format": ".4%"},
                            {"field": "high", "format": ".4%"}, {"field": "target", "format": "~%"}, {"field": "false_positives", "format": ","},
                            {"field": "negatives", "format": ","}]}}])";

constexpr const char* kFillLayers = R"([
  {"mark": {"type": "bar", "color": "series0", "opacity": 0.85},
   "encoding": {"x": {"field": "group", "type": "nominal", "sort": null, "title": "group", "axis": {"labelAngle": 0, "labelOverlap": true}},
                "y": {"field": "fill", "type": "quantitative", "title": "share of bits set", "scale": {"domain": [0, 1]}, "axis": {"format": "~%"}},
                "tooltip": [{"field": "bank"}, {"field": "group"}, {"field": "fill", "format": ".4f"}, {"field": "expected_fill", "format": ".4f"},
                            {"field": "keys", "format": ","}, {"field": "bits", "format": ","}]}},
  {"mark": {"type": "tick", "thickness": 2, "color": "target"},
   "encoding": {"x": {"field": "group", "type": "nominal", "sort": null}, "y": {"field": "expected_fill", "type": "quantitative"}}}])";

// Rows of several specs at one rate lie at one place, so what differs is the colour.
constexpr const char* kBitsSpec = R"({"layer": [
  {"mark": {"type": "line", "strokeDash": [5, 4], "color": "target"},
   "encoding": {"x": {"field": "fpr", "type": "quantitative", "scale": {"type": "log", "nice": false, "padding": 14}, "title": "rate p", "axis": {"format": "~g", "grid": false}},
                "y": {"field": "theory", "type": "quantitative", "title": "bits per key"}}},
  {"mark": {"type": "point", "filled": true, "size": 60, "opacity": 1},
   "encoding": {"x": {"field": "fpr", "type": "quantitative"}, "y": {"field": "bits_per_key", "type": "quantitative", "scale": {"zero": true}},
                "color": {"field": "hashes_text", "type": "nominal", "title": "k", "sort": null},
                "shape": {"field": "kind", "type": "nominal", "title": "kind"},
                "tooltip": [{"field": "bank"}, {"field": "bits_per_key", "format": ".3f"}, {"field": "theory", "format": ".3f"}]}}]})";

double off_target(const Json& row) {
  const double target = row.at("target").is_number() ? row["target"].get<double>() : 0;
  return row.at("rate").is_number() && target > 0 ? row["rate"].get<double>() / target : 0;
}

double off_expected(const Json& row) {
  return std::abs(row.at("fill").get<double>() - row.at("expected_fill").get<double>());
}

std::vector<Cell> rate_row(const Bank& bank, const Json& group) {
  const auto rate = [&](const char* name) {
    const Json& value = group.at(name);
    return value.is_null() ? Cell{.shown = "-"} : Cell::rate(value.get<double>());
  };
  const auto count = [&](const char* name) {
    return Cell::count(group.at(name).get<std::uint64_t>());
  };
  return {Cell::text(bank.label), bytes_cell(group, "group"),
          count("members"),       count("false_negatives"),
          count("negatives"),     count("false_positives"),
          rate("rate"),           rate("low"),
          rate("high"),           rate("target"),
          rate("predicted"),      Cell::flag(group.at("is_ok"), "ok", "FAILED")};
}

struct RateTotals {
  std::uint64_t groups = 0;
  std::uint64_t good = 0;
  std::uint64_t members = 0;
  std::uint64_t denied = 0;
  double worst = 0;  // rate, as a multiple of its target
  std::string worst_text;

  void add(const Bank& bank, const Json& group) {
    ++groups;
    if (group.at("is_ok").get<bool>()) ++good;
    members += group.at("members").get<std::uint64_t>();
    denied += group.at("false_negatives").get<std::uint64_t>();
    if (group.at("rate").is_null()) return;
    const double target = std::max(group["target"].get<double>(), group["predicted"].get<double>());
    const double ratio = group["rate"].get<double>() / target;
    if (ratio <= worst) return;
    worst = ratio;
    worst_text = fmt::format("group {} of {} at {}, {:.3g} times its target",
                             escaped(bytes_cell(group, "group").shown), bank.label,
                             percent(group["rate"].get<double>()), ratio);
  }

  [[nodiscard]] std::string in_words(std::size_t banks) const {
    return fmt::format(
        "{} of {} in {} keep their rate; {} of {} questions about members were denied.{}",
        grouped(good), counted(groups, "filter"), counted(banks, "bank"), grouped(denied),
        grouped(members), worst_text.empty() ? "" : fmt::format(" Highest: {}.", worst_text));
  }
};

// Bits a key to those of theory, least and most, by kind.
using RatioRanges = std::map<std::string, std::pair<double, double>>;

// Empty for a bank without keys.
std::vector<Cell> bits_row(const Bank& bank, RatioRanges& ratios) {
  double keys = 0;
  double bits = 0;
  for (const Json& group : *bank.groups) {
    keys += group.at("keys").get<double>();
    bits += group.at("bits").get<double>();
  }
  if (keys == 0) return {};
  // Of a counting filter the table has counters of four bits.
  if (bank.kind == "counting") bits *= 4;
  const Json& first = bank.groups->front();
  const double fpr = first.at("fpr");
  const double theory = std::log2(1 / fpr) / std::log(2.0);
  const bool is_spec = !bank.hashes.empty();
  const std::string hashes = is_spec ? bank.hashes : first.at("hashes").dump();
  const std::string kind = bank.kind.empty() ? "as built" : bank.kind;
  const double ratio = bits / keys / theory;
  if (hashes == "optimal" || !is_spec) {
    const auto known = ratios.try_emplace(kind, ratio, ratio).first;
    known->second = {std::min(known->second.first, ratio), std::max(known->second.second, ratio)};
  }
  return {Cell::text(bank.label),
          Cell::text(kind),
          Cell::number(fpr),
          Cell::text(hashes),
          Cell::count(static_cast<std::uint64_t>(keys)),
          Cell::count(static_cast<std::uint64_t>(bits)),
          Cell::number(bits / keys),
          Cell::number(theory),
          Cell::number(ratio)};
}

std::string ratio_words(const RatioRanges& ratios) {
  if (ratios.empty()) return "A fixed number of hashes takes more bits than the best one.";
  std::string text;
  for (const auto& [kind, range] : ratios) {
    text += fmt::format("{}{}: {:.3f}", text.empty() ? "" : "; ", kind, range.first);
    if (range.second - range.first >= 0.001) text += fmt::format(" to {:.3f}", range.second);
    text += " times";
  }
  return fmt::format(
      "With the best number of hashes a key takes, of the 1.44 log2(1/p) bits of theory, {}.",
      text);
}

// None for banks of one rate, which is no line.
std::optional<Chart> bits_chart(const Table& table) {
  std::set<double> ticks;
  std::set<std::string> kinds;
  for (const auto& row : table.rows) {
    kinds.insert(row[1].shown);
    ticks.insert(row[2].value.get<double>());
  }
  if (ticks.size() < 2) return std::nullopt;
  Json spec = Json::parse(kBitsSpec);
  spec["layer"][0]["encoding"]["x"]["axis"]["values"] = ticks;
  if (kinds.size() == 1) spec["layer"][1]["encoding"].erase("shape");
  spec["data"] = {{"values", chart_values(table)}};
  return Chart{"chart-bits", "Bits per key against the rate", std::move(spec)};
}

}  // namespace

void add_rates(std::vector<ReportSection>& sections, const Facts& facts) {
  const auto banks = verified_banks(facts);
  if (banks.empty()) return;
  ReportSection section{"rates", "False-positive rate of every group"};
  section.table = {.name = "rates",
                   .columns = {{"bank", "bank", true},
                               {"group", "group", true},
                               {"members", "keys"},
                               {"false_negatives", "denied"},
                               {"negatives", "negatives"},
                               {"false_positives", "false pos."},
                               {"rate", "measured"},
                               {"low", "95 % from"},
                               {"high", "to"},
                               {"target", "target"},
                               {"predicted", "predicted"},
                               {"is_ok", "verdict", true}}};
  RateTotals totals;
  for (const Bank& bank : banks) {
    for (const Json& group : *bank.groups) {
      section.table.rows.push_back(rate_row(bank, group));
      totals.add(bank, group);
    }
  }
  section.words.push_back(totals.in_words(banks.size()));
  if (totals.good < totals.groups) {
    section.words.push_back(fmt::format(
        "Of banks that keep their promise, one in twenty is said to fail by chance: of {}, {:.2g}.",
        counted(banks.size(), "bank"), 0.05 * static_cast<double>(banks.size())));
  }
  section.words.emplace_back(
      "A dot is what was measured, the bar through it the 95 % interval (Wilson), the tick the "
      "target. Intervals of one group in twenty miss by chance; the verdict, which is that of "
      "verify, takes that into account for the groups of a bank.");
  finish_groups(section, rate_or_failed, "highest, failed ones first");
  section.charts.push_back({"chart-rates", "Measured rate against target",
                            faceted(Json::parse(kRateLayers), section, off_target)});
  sections.push_back(std::move(section));
}

void add_fill(std::vector<ReportSection>& sections, const Facts& facts) {
  const auto banks = built_banks(facts);
  if (banks.empty()) return;
  ReportSection section{"fill", "How full the filters are"};
  section.table = {.name = "fill",
                   .columns = {{"bank", "bank", true},
                               {"group", "group", true},
                               {"keys", "keys"},
                               {"bits", "bits"},
                               {"hashes", "k"},
                               {"fill", "fill"},
                               {"expected_fill", "expected"}}};
  double low = 1;
  double high = 0;
  double apart = 0;
  for (const Bank& bank : banks) {
    for (const Json& group : *bank.groups) {
      const double fill = group.at("fill");
      const double keys = group.at("keys");
      const double expected =
          -std::expm1(-keys * group.at("hashes").get<double>() / group.at("bits").get<double>());
      low = std::min(low, fill);
      high = std::max(high, fill);
      apart = std::max(apart, std::abs(fill - expected));
      section.table.rows.push_back({Cell::text(bank.label), bytes_cell(group, "group"),
                                    Cell::count(group["keys"].get<std::uint64_t>()),
                                    Cell::count(group["bits"].get<std::uint64_t>()),
                                    Cell::count(group["hashes"].get<std::uint64_t>()),
                                    Cell::number(fill), Cell::number(expected)});
    }
  }
  section.words.push_back(fmt::format(
      "Filters are {} to {} full, at most {:.2g} from 1 - exp(-kn/m), the share expected of keys "
      "that all differ.",
      percent(low), percent(high), apart));
  finish_groups(section, fill_off_expected, "furthest from what is expected");
  section.charts.push_back({"chart-fill", "Fill, and what is expected",
                            faceted(Json::parse(kFillLayers), section, off_expected)});
  sections.push_back(std::move(section));
}

void add_bits_per_key(std::vector<ReportSection>& sections, const Facts& facts) {
  ReportSection section{"bits", "Bits per key"};
  section.table = {.name = "bits",
                   .columns = {{"bank", "bank", true},
                               {"kind", "kind", true},
                               {"fpr", "p"},
                               {"hashes_text", "k", true},
                               {"keys", "keys"},
                               {"bits", "bits"},
                               {"bits_per_key", "bits/key"},
                               {"theory", "1.44 log2(1/p)"},
                               {"ratio", "ratio"}}};
  RatioRanges ratios;
  for (const Bank& bank : built_banks(facts)) {
    if (auto row = bits_row(bank, ratios); !row.empty()) {
      section.table.rows.push_back(std::move(row));
    }
  }
  if (section.table.rows.empty()) return;
  section.words.push_back(ratio_words(ratios));
  if (auto chart = bits_chart(section.table)) section.charts.push_back(*std::move(chart));
  sections.push_back(std::move(section));
}

}  // namespace bloomery::cli
