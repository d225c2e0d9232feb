// Sections about bloomery bench, and about records that made no sense.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cli/bench/tables.h"
#include "cli/output/numbers.h"
#include "cli/report/origins.h"
#include "cli/report/sections.h"

namespace bloomery::cli {
namespace {

Cell cell_of(const Json& row, const std::string& name) {
  const Json value = row.value(name, Json(nullptr));
  if (value.is_string()) return Cell::text(value);
  if (value.is_number_unsigned()) return Cell::count(value);
  if (value.is_number()) return Cell::number(value);
  return {.shown = "-"};
}

// The empty table of one of bench's, with the rows of all files.
Table bench_table(const Facts& facts, Table table) {
  const auto origins = Origins(facts).of_benches();
  table.columns.insert(table.columns.begin(),
                       {"origin", origins.size() > 1 ? "measured on" : "", true});
  for (std::size_t i = 0; i < facts.benches.size(); ++i) {
    for (const Json& row : facts.benches[i].value(table.name, Json::array())) {
      std::vector<Cell> cells{Cell::text(origins[i])};
      for (std::size_t j = 1; j < table.columns.size(); ++j) {
        cells.push_back(cell_of(row, table.columns[j].name));
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

double number_in(const Json& row, const char* name) {
  const Json value = row.value(name, Json(nullptr));
  return value.is_number() ? value.get<double>() : 0;
}

bool is_set(const Json& row) {
  return row.value("structure", "").find("set") != std::string::npos;
}

// The best way to ask: one at a time or in batches. 0: neither was measured.
double fastest(const Json& row, const char* singly, const char* batched) {
  const double one = number_in(row, singly);
  const double many = number_in(row, batched);
  if (one <= 0) return many;
  return many > 0 ? std::min(one, many) : one;
}

// Blocked filters beside hash sets of as many keys. What was not measured is not compared.
class SetComparison {
 public:
  void add(const Json& filter, const Json& rows) {
    if (filter.at("structure") != "blocked") return;
    for (const Json& other : rows) {
      if (is_set(other) && other.at("keys") == filter.at("keys")) compare(filter, other);
    }
  }

  [[nodiscard]] std::string words() const {
    if (!has_set_) return "No hash set was measured beside the filters.";
    if (compared_ == 0) return "No time of a filter was measured beside that of a hash set.";
    return fmt::format(
        "Asked a mixture of present and absent keys, the blocked filter answers sooner than the "
        "hash set in {} of {} comparisons{}.",
        won_, compared_,
        memory_ > 0 ? fmt::format(", in as little as 1/{:.3g} of its memory", memory_) : "");
  }

 private:
  void compare(const Json& filter, const Json& set) {
    has_set_ = true;
    const double mine = fastest(filter, "mixed_ns", "mixed_batched_ns");
    const double theirs = number_in(set, "mixed_ns");
    if (mine > 0 && theirs > 0) {
      ++compared_;
      if (mine < theirs) ++won_;
    }
    const double bits = number_in(filter, "bits_per_key");
    if (bits > 0) memory_ = std::max(memory_, number_in(set, "bits_per_key") / bits);
  }

  bool has_set_ = false;
  std::uint64_t won_ = 0;
  std::uint64_t compared_ = 0;
  double memory_ = 0;  // of a set, in that of its filter; 0: not known
};

Json bars(const char* field, const char* title, const Json& values) {
  return {{"data", {{"values", values}}},
          {"mark", {{"type", "bar"}, {"opacity", 0.9}}},
          {"encoding",
           {{"x",
             {{"field", "keys"},
              {"type", "ordinal"},
              {"title", "keys"},
              {"axis", {{"labelAngle", 0}, {"format", "~s"}}}}},
            {"xOffset", {{"field", "structure"}, {"sort", nullptr}}},
            {"y",
             {{"field", field},
              {"type", "quantitative"},
              {"title", title},
              {"scale", {{"type", "log"}, {"domainMin", 1}, {"nice", true}}},
              {"axis", {{"format", "~s"}, {"tickCount", 5}}}}},
            {"y2", {{"datum", 1}}},
            {"color",
             {{"field", "structure"}, {"type", "nominal"}, {"title", nullptr}, {"sort", nullptr}}},
            {"tooltip",
             {{{"field", "structure"}},
              {{"field", "keys"}, {"format", ","}},
              {{"field", field}, {"format", ".3~f"}}}}}}};
}

constexpr const char* kErrorSpec = R"({"layer": [
  {"mark": {"type": "line", "strokeDash": [5, 4], "color": "target"},
   "encoding": {"x": {"field": "bits_per_key", "type": "quantitative", "title": "bits per key", "scale": {"zero": false}},
                "y": {"field": "predicted", "type": "quantitative", "title": "false-positive rate", "scale": {"type": "log"}, "axis": {"format": "~%"}},
                "detail": {"field": "series"}}},
  {"mark": {"type": "point", "filled": true, "size": 60, "opacity": 1},
   "encoding": {"x": {"field": "bits_per_key", "type": "quantitative"}, "y": {"field": "rate", "type": "quantitative"},
                "color": {"field": "series", "type": "nominal", "title": null}, "shape": {"field": "series", "type": "nominal", "title": null},
                "tooltip": [{"field": "series"}, {"field": "bits", "format": ","}, {"field": "rate", "format": ".4%"}, {"field": "predicted", "format": ".4%"}]}}]})";

constexpr const char* kBadSpec = R"({"mark": {"type": "bar", "opacity": 0.9},
  "encoding": {"y": {"field": "category", "type": "nominal", "title": null, "sort": "-x"},
               "x": {"field": "records", "type": "quantitative", "title": "records", "axis": {"tickMinStep": 1, "format": "~s"}},
               "color": {"value": "series1"},
               "tooltip": [{"field": "category"}, {"field": "records", "format": ","}]}})";

// What bench itself found, one sentence for each of its documents.
std::vector<std::string> verdict_words(const Facts& facts,
                                       const std::vector<std::string>& origins) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < facts.benches.size(); ++i) {
    std::string text;
    for (const Json& row : facts.benches[i].value("verdicts", Json::array())) {
      text += fmt::format(
          "{}{} lost {} of {} ({})", text.empty() ? "" : "; ", row.at("filter").get<std::string>(),
          grouped(row.at("lost").get<std::uint64_t>()),
          grouped(row.at("comparisons").get<std::uint64_t>()), row.at("table").get<std::string>());
    }
    if (text.empty()) continue;
    found.push_back(fmt::format(
        "Of all comparisons with hash sets, in memory and time, one key at a time and in "
        "batches{}: {}.",
        origins[i].empty() ? "" : fmt::format(" ({})", origins[i]), text));
  }
  return found;
}

// `apart`: the furthest of those compared.
std::string error_words(std::size_t compared, std::size_t all, double apart) {
  if (compared == 0) {
    return fmt::format("Of {} none has a measured rate to compare with the predicted one.",
                       counted(all, "size"));
  }
  const std::string rest = compared < all ? fmt::format("; without a measured rate to compare: {}",
                                                        grouped(all - compared))
                                          : "";
  return fmt::format("Over {} the measured rate is at most {:.2g} % from the predicted one{}.",
                     counted(compared, "size"), apart * 100, rest);
}

// Records that commands read, and which of them were bad.
class BadRecords {
 public:
  struct Kind {
    std::uint64_t records = 0;
    std::string sample;
  };

  // Of the same files with the same counts, the first document speaks for all, whatever the
  // command: they were read again.
  void add(const Json& document) {
    const bool is_new = readings_.insert(reading_of(document)).second;
    if (is_new) read_ += document.at("records").at("read").get<std::uint64_t>();
    if (!is_new) ++again_;
    for (const Json& each : document.at("rejected")) {
      Kind& kind = kinds_[each.at("category")];
      if (is_new) kind.records += each.at("records").get<std::uint64_t>();
      if (kind.sample.empty()) kind.sample = sample_of(each);
    }
  }

  [[nodiscard]] std::uint64_t read() const noexcept { return read_; }
  [[nodiscard]] const std::map<std::string, Kind>& kinds() const noexcept { return kinds_; }
  [[nodiscard]] std::uint64_t bad() const {
    std::uint64_t sum = 0;
    for (const auto& [category, kind] : kinds_) sum += kind.records;
    return sum;
  }

  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> found;
    found.push_back(bad() == 0
                        ? fmt::format("None of {} was bad.", counted(read_, "record"))
                        : fmt::format("{} of {} were rejected, of {}.", grouped(bad()),
                                      counted(read_, "record"), counted(kinds_.size(), "kind")));
    if (again_ > 0) {
      found.push_back(fmt::format(
          "Files that several commands read with the same counts are counted once: {} left out.",
          counted(again_, "command")));
    }
    return found;
  }

 private:
  static std::string reading_of(const Json& document) {
    Json names = Json::array();
    for (const Json& input : document.value("inputs", Json::array())) {
      names.push_back({input.value("name", ""), input.value("name_b64", "")});
    }
    Json bad = Json::object();
    for (const Json& each : document.at("rejected")) {
      bad[each.at("category").get<std::string>()] = each.at("records");
    }
    return sorted_text({std::move(names), document.at("records"), std::move(bad)});
  }

  static std::string sample_of(const Json& rejected) {
    const Json samples = rejected.value("samples", Json::array());
    if (samples.empty()) return {};
    return fmt::format("{}: {}", samples[0].value("reason", ""), samples[0].value("text", ""));
  }

  std::set<std::string> readings_;
  std::map<std::string, Kind> kinds_;
  std::uint64_t read_ = 0;
  std::uint64_t again_ = 0;
};

// Runs of a study read the same data again and again: the first of each plan speaks for all.
std::vector<const Json*> documents_with_records(const Facts& facts) {
  std::vector<const Json*> documents;
  std::set<std::string> plans;
  for (const Json& run : facts.runs) {
    if (plans.insert(run.at("plan")).second) documents.push_back(&run);
  }
  for (const auto* list : {&facts.builds, &facts.verifies}) {
    for (const Json& document : *list) {
      if (document.contains("rejected")) documents.push_back(&document);
    }
  }
  return documents;
}

}  // namespace

void add_set_comparison(std::vector<ReportSection>& sections, const Facts& facts) {
  ReportSection section{"sets", "Filter against hash set"};
  section.table = bench_table(facts, empty_sets_table());
  if (section.table.rows.empty()) return;
  Json values = Json::array();
  SetComparison comparison;
  const auto origins = Origins(facts).of_benches();
  for (std::size_t i = 0; i < facts.benches.size(); ++i) {
    const Json rows = facts.benches[i].value("sets", Json::array());
    for (const Json& row : rows) {
      const double mixed = fastest(row, "mixed_ns", "mixed_batched_ns");
      // Zero has no place on a log axis.
      if (mixed > 0 && number_in(row, "bits_per_key") > 0) {
        const std::string structure = row.at("structure");
        values.push_back(
            {{"keys", row.at("keys")},
             {"structure", origins[i].empty() ? structure : structure + ", " + origins[i]},
             {"bits_per_key", number_in(row, "bits_per_key")},
             {"mixed", mixed}});
      }
      comparison.add(row, rows);
    }
  }
  section.words.push_back(comparison.words());
  for (const std::string& words : verdict_words(facts, origins)) section.words.push_back(words);
  section.words.emplace_back(
      "Nanoseconds are those of the faster way to ask a filter: one key at a time or in batches.");
  section.charts.push_back(
      {"chart-set-memory", "Memory", bars("bits_per_key", "bits per key", values)});
  section.charts.push_back(
      {"chart-set-time", "Time of a question", bars("mixed", "ns per key, half present", values)});
  sections.push_back(std::move(section));
}

void add_error_sweep(std::vector<ReportSection>& sections, const Facts& facts) {
  ReportSection section{"errors", "Rate against size"};
  section.table = bench_table(facts, empty_errors_table());
  if (section.table.rows.empty()) return;
  Json values = Json::array();
  double apart = 0;
  const auto origins = Origins(facts).of_benches();
  for (std::size_t i = 0; i < facts.benches.size(); ++i) {
    for (const Json& row : facts.benches[i].value("errors", Json::array())) {
      const double keys = number_in(row, "keys");
      // Zero has no place on a log axis, and no ratio.
      if (number_in(row, "rate") <= 0 || number_in(row, "predicted") <= 0) continue;
      values.push_back(
          {{"series",
            fmt::format("{} keys, k {}{}{}", grouped(static_cast<std::uint64_t>(keys)),
                        number_in(row, "hashes"), origins[i].empty() ? "" : ", ", origins[i])},
           {"bits", row.at("bits")},
           {"bits_per_key", number_in(row, "bits") / keys},
           {"rate", row.at("rate")},
           {"predicted", row.at("predicted")}});
      apart = std::max(apart, std::abs(number_in(row, "rate") / number_in(row, "predicted") - 1));
    }
  }
  section.words.push_back(error_words(values.size(), section.table.rows.size(), apart));
  if (!values.empty()) {
    Json spec = Json::parse(kErrorSpec);
    spec["data"] = {{"values", std::move(values)}};
    section.charts.push_back({"chart-errors", "Measured rate, and predicted", std::move(spec)});
  }
  sections.push_back(std::move(section));
}

void add_bad_records(std::vector<ReportSection>& sections, const Facts& facts) {
  const auto documents = documents_with_records(facts);
  if (documents.empty()) return;
  BadRecords records;
  for (const Json* document : documents) records.add(*document);
  ReportSection section{"bad-records", "Bad records by kind", records.words()};
  section.table = {.name = "bad_records",
                   .columns = {{"category", "kind", true},
                               {"records", "records"},
                               {"share", "of those read"},
                               {"sample", "one of them", true}}};
  Json values = Json::array();
  for (const auto& [category, kind] : records.kinds()) {
    section.table.rows.push_back(
        {Cell::text(category), Cell::count(kind.records),
         Cell::rate(static_cast<double>(kind.records) / static_cast<double>(records.read())),
         Cell::text(kind.sample)});
    values.push_back({{"category", category}, {"records", kind.records}});
  }
  if (records.bad() > 0) {
    Json spec = Json::parse(kBadSpec);
    spec["data"] = {{"values", std::move(values)}};
    section.charts.push_back({"chart-bad-records", section.title, std::move(spec)});
  }
  sections.push_back(std::move(section));
}

}  // namespace bloomery::cli
