// Sections about filters: do they keep their rates, and how full are they?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "cli/output/numbers.h"
#include "cli/report/sections.h"
#include "cli/report/shown_banks.h"

namespace bloomery::cli {
namespace {

// More groups than this are for programs to read: the worst are drawn and listed.
constexpr std::size_t kShownGroups = 500;
// Pictures side by side.
constexpr std::size_t kShownBanks = 12;
// Of the tables below.
constexpr std::size_t kRateColumn = 6;
constexpr std::size_t kFillColumn = 5;  // what is expected comes next

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

double off_target(const Json& row) {
  const double target = row.at("target").is_number() ? row["target"].get<double>() : 0;
  return row.at("rate").is_number() && target > 0 ? row["rate"].get<double>() / target : 0;
}

double off_expected(const Json& row) {
  return std::abs(row.at("fill").get<double>() - row.at("expected_fill").get<double>());
}

std::vector<Cell> rate_row(const ShownBank& bank, const Json& group) {
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

  void add(const ShownBank& bank, const Json& group) {
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
  for (const ShownBank& bank : banks) {
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
  for (const ShownBank& bank : banks) {
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

}  // namespace bloomery::cli
