// The section about sizes: how many bits does a key take, and how many must it?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cli/report/sections.h"
#include "cli/report/shown_banks.h"

namespace bloomery::cli {
namespace {

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

// Bits a key to those of theory, least and most, by kind.
using RatioRanges = std::map<std::string, std::pair<double, double>>;

// Empty for a bank without keys.
std::vector<Cell> bits_row(const ShownBank& bank, RatioRanges& ratios) {
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
  for (const ShownBank& bank : built_banks(facts)) {
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
