#include "cli/report/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "cli/output/numbers.h"
#include "cli/report/origins.h"

namespace bloomery::cli {
namespace {

// A setting beside which others are drawn, and how it reads.
struct Setting {
  const char* name;
  const char* format;
};
constexpr std::array kFacetSettings{Setting{"kind", "{}"}, Setting{"fpr", "p {}"},
                                    Setting{"hashes", "k {}"}, Setting{"tasks", "{} tasks"},
                                    Setting{"threads", "{} threads"}};

std::string name_of(const Json& settings) {
  const std::string strategy = settings.at("strategy");
  const std::string engine = settings.at("engine");
  return strategy == "none" ? engine : fmt::format("{}, {}", engine, strategy);
}

// Null first, then by number or text.
bool is_before(const Json& a, const Json& b) {
  if (a.is_null() || b.is_null()) return a.is_null() && !b.is_null();
  return a < b;
}

bool settings_before(const Json& a, const Json& b) {
  for (const char* name : {"kind", "engine", "strategy", "fpr", "hashes", "tasks", "threads"}) {
    if (a.at(name) != b.at(name)) return is_before(a.at(name), b.at(name));
  }
  return false;
}

template <typename T>
Cell maybe(const std::optional<T>& value, Cell (*cell)(T)) {
  return value ? cell(*value) : Cell{.shown = "-"};
}

Cell setting_cell(const Json& settings, const char* name) {
  return {.value = settings.at(name), .shown = value_text(settings, name)};
}

Cell seconds_cell(double seconds) {
  return {.value = seconds, .shown = fmt::format("{:.3f}", seconds)};
}

Point point_of(const std::vector<const Json*>& runs, std::string origin) {
  Point point;
  const Json& first = *runs.front();
  point.origin = std::move(origin);
  point.plan = first.at("plan");
  point.settings = first.at("settings");
  point.tasks = first.at("tasks");
  point.runs = runs.size();
  std::vector<double> wall;
  std::vector<double> cpu;
  std::vector<double> cluster_cpu;
  for (const Json* run : runs) {
    double seconds = 0;
    for (const Json& job : run->value("jobs", Json::array())) {
      seconds += job.at("cpu_seconds").get<double>();
      const std::uint64_t memory = job.at("peak_memory");
      if (memory > 0) point.cluster_memory = std::max(memory, point.cluster_memory.value_or(0));
    }
    if (seconds > 0) cluster_cpu.push_back(seconds);
    wall.push_back(run->at("wall_seconds"));
    cpu.push_back(run->at("cpu_seconds"));
    point.peak_memory = std::max(point.peak_memory, run->at("peak_memory").get<std::uint64_t>());
  }
  point.wall_min = *std::ranges::min_element(wall);
  point.wall_max = *std::ranges::max_element(wall);
  point.wall_median = median(wall);
  point.cpu_median = median(cpu);
  if (!cluster_cpu.empty()) point.cluster_cpu_median = median(cluster_cpu);
  if (!first.at("map_output_bytes").is_null()) point.map_output_bytes = first["map_output_bytes"];
  if (!first.at("shuffle_bytes").is_null()) point.shuffle_bytes = first["shuffle_bytes"];
  if (!first.at("entropy_bytes").is_null()) point.entropy_bytes = first["entropy_bytes"];
  return point;
}

using Members = std::vector<const Point*>;

// Points that differ in nothing but the axis, two and more, in the order of their first ones.
std::vector<Members> groups_along(const std::string& axis, const std::vector<Point>& points) {
  std::vector<Members> groups;
  std::map<std::string, std::size_t> places;
  for (const Point& point : points) {
    Json rest = point.settings;
    rest.erase(axis);
    const std::string key = fmt::format("{}\n{}\n{}", point.plan, point.origin, sorted_text(rest));
    const auto [place, is_new] = places.try_emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(&point);
  }
  std::erase_if(groups, [](const Members& members) { return members.size() < 2; });
  return groups;
}

std::set<std::string> texts_in(const std::vector<Members>& groups, const std::string& setting) {
  std::set<std::string> texts;
  for (const Members& members : groups) {
    texts.insert(value_text(members.front()->settings, setting));
  }
  return texts;
}

}  // namespace

std::string value_text(const Json& settings, const std::string& axis) {
  const Json& value = settings.at(axis);
  if (value.is_string()) return value;
  if (value.is_null()) return axis == "hashes" ? "optimal" : axis == "tasks" ? "any" : "all";
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

std::vector<Point> points_of(const Facts& facts) {
  const Origins origins(facts);
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<const Json*>> settings;
  for (const Json& run : facts.runs) {
    settings[{run.at("plan"), origins.of_run(run), sorted_text(run.at("settings"))}].push_back(
        &run);
  }
  std::vector<Point> points;
  points.reserve(settings.size());
  for (const auto& [key, runs] : settings) points.push_back(point_of(runs, std::get<1>(key)));
  std::ranges::stable_sort(points, [](const Point& a, const Point& b) {
    if (a.plan != b.plan) return a.plan < b.plan;
    if (a.origin != b.origin) return a.origin < b.origin;
    return settings_before(a.settings, b.settings);
  });
  return points;
}

Table points_table(const std::vector<Point>& points) {
  const bool has_origins =
      std::ranges::any_of(points, [](const Point& point) { return !point.origin.empty(); });
  const bool has_cluster = std::ranges::any_of(points, [](const Point& point) {
    return point.cluster_cpu_median.has_value() || point.cluster_memory.has_value();
  });
  Table table{.name = "points",
              .columns = {{"origin", has_origins ? "measured on" : "", true},
                          {"engine", "engine", true},
                          {"strategy", "strategy", true},
                          {"kind", "kind", true},
                          {"fpr", "p"},
                          {"hashes", "k"},
                          {"tasks", "tasks"},
                          {"threads", "threads"},
                          {"runs", "runs"},
                          {"wall_min", "wall s, least"},
                          {"wall_median", "median"},
                          {"wall_max", "most"},
                          {"cpu_median", "cpu s"},
                          {"peak_memory", "memory"},
                          {"cluster_cpu_median", has_cluster ? "tasks: cpu s" : ""},
                          {"cluster_memory", has_cluster ? "memory" : ""},
                          {"map_output_bytes", "map output bytes"},
                          {"shuffle_bytes", "shuffle bytes"},
                          {"entropy_bytes", "entropy"}}};
  for (const Point& point : points) {
    const Json& settings = point.settings;
    Cell entropy = maybe(point.entropy_bytes, &Cell::number);
    if (point.entropy_bytes) entropy.shown = grouped(nearest(*point.entropy_bytes));
    table.rows.push_back(
        {Cell::text(point.origin), setting_cell(settings, "engine"),
         setting_cell(settings, "strategy"), setting_cell(settings, "kind"),
         setting_cell(settings, "fpr"), setting_cell(settings, "hashes"),
         setting_cell(settings, "tasks"), setting_cell(settings, "threads"),
         Cell::count(point.runs), seconds_cell(point.wall_min), seconds_cell(point.wall_median),
         seconds_cell(point.wall_max), seconds_cell(point.cpu_median),
         point.peak_memory > 0 ? Cell::size(point.peak_memory) : Cell{.shown = "-"},
         maybe(point.cluster_cpu_median, &seconds_cell), maybe(point.cluster_memory, &Cell::size),
         maybe(point.map_output_bytes, &Cell::count), maybe(point.shuffle_bytes, &Cell::count),
         std::move(entropy)});
  }
  return table;
}

std::vector<Series> series_along(const std::string& axis, const std::vector<Point>& points) {
  auto groups = groups_along(axis, points);
  // Only what differs between the series needs saying.
  std::vector<Setting> told;
  for (const Setting& setting : kFacetSettings) {
    if (setting.name != axis && texts_in(groups, setting.name).size() > 1) told.push_back(setting);
  }
  std::set<std::string> origins;
  for (const auto& members : groups) origins.insert(members.front()->origin);
  std::vector<Series> all;
  for (auto& members : groups) {
    const Point& first = *members.front();
    std::vector<std::string> facets;
    facets.reserve(told.size() + 1);
    for (const Setting& setting : told) {
      facets.push_back(
          fmt::format(fmt::runtime(setting.format), value_text(first.settings, setting.name)));
    }
    if (origins.size() > 1) facets.push_back(first.origin);
    all.push_back({name_of(first.settings), fmt::format("{}", fmt::join(facets, ", ")),
                   first.origin, std::move(members)});
  }
  return all;
}

}  // namespace bloomery::cli
