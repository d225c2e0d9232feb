// Sections about runs: bytes and time along each axis.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "cli/output/numbers.h"
#include "cli/report/axis.h"
#include "cli/report/sections.h"

namespace bloomery::cli {
namespace {

// More pictures than this side by side are for the table.
constexpr std::size_t kShownFacets = 12;

constexpr std::array kAxes{
    Axis{"fpr", "rate p", "log", "p {}"}, Axis{"hashes", "hashes k", "ordinal", "k {}"},
    Axis{"tasks", "tasks", "linear", "{} tasks"}, Axis{"kind", "kind", "ordinal", "{}"}};

// 1, 2 and 5 of every power of ten within the values: a log axis by itself has a line for each
// digit.
Json log_ticks(const Json& values) {
  double low = HUGE_VAL;
  double high = 0;
  for (const Json& value : values) {
    low = std::min(low, value.at("y").get<double>());
    high = std::max(high, value.at("y").get<double>());
  }
  Json ticks = Json::array();
  double power = 1;
  while (power <= high) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * power;
      if (tick >= low * 0.8 && tick <= high * 1.2) ticks.push_back(tick);
    }
    power *= 10;
  }
  return ticks;
}

Json x_of(const Point& point, const Axis& axis) {
  if (std::string_view(axis.scale) == "ordinal") return value_text(point.settings, axis.name);
  const Json& value = point.settings.at(axis.name);
  return value.is_null() ? Json(point.tasks) : value;  // "any": as many as ran
}

// The facets that are drawn, in order; all of them in most studies. Of more, the section says so.
std::vector<std::string> facets_of(const std::vector<Series>& all, ReportSection& section) {
  std::vector<std::string> facets;
  std::set<std::string> seen;
  for (const Series& series : all) {
    if (seen.insert(series.facet).second) facets.push_back(series.facet);
  }
  if (facets.size() > kShownFacets) {
    section.words.push_back(
        fmt::format("Of {} pictures the first {} are drawn and listed; the table of every setting "
                    "has all.",
                    grouped(facets.size()), kShownFacets));
    facets.resize(kShownFacets);
  }
  return facets;
}

Json in_facets(Json unit, Json values, const std::vector<std::string>& facets) {
  Json spec;
  if (facets.size() > 1) {
    spec = {
        {"facet", {{"field", "facet"}, {"type", "nominal"}, {"title", nullptr}, {"sort", facets}}},
        {"columns", 3},
        {"spec", std::move(unit)},
        // Else an axis is drawn at the foot of every column, under pictures that are not there.
        {"resolve", {{"axis", {{"x", "independent"}}}}}};
  } else {
    spec = std::move(unit);
  }
  spec["data"] = {{"values", std::move(values)}};
  return spec;
}

// Lines with a mark at every point; with the range where there is one.
Json lines_chart(const Axis& axis, const char* y_title, const Json& y_extra, const Json& values,
                 const std::vector<std::string>& facets, bool has_range, bool has_entropy) {
  Json y = {{"field", "y"}, {"type", "quantitative"}, {"title", y_title}};
  y.update(y_extra);
  const Json x = x_encoding(axis, values);
  Json layers = Json::array();
  if (has_range) {
    layers.push_back({{"mark", {{"type", "rule"}, {"strokeWidth", 1.5}, {"opacity", 0.6}}},
                      {"encoding",
                       {{"x", x},
                        {"y", {{"field", "low"}, {"type", "quantitative"}, {"title", y_title}}},
                        {"y2", {{"field", "high"}}},
                        {"color", series_encoding()}}}});
  }
  // The best k is no place on an axis of numbers, so no line leads there.
  layers.push_back({{"transform", {{{"filter", "!datum.is_entropy && datum.x !== 'optimal'"}}}},
                    {"mark", {{"type", "line"}, {"strokeWidth", 2}}},
                    {"encoding", {{"x", x}, {"y", y}, {"color", series_encoding()}}}});
  if (has_entropy) {
    layers.push_back(
        {{"transform", {{{"filter", "datum.is_entropy && datum.x !== 'optimal'"}}}},
         {"mark",
          {{"type", "line"}, {"strokeWidth", 2}, {"strokeDash", {5, 4}}, {"color", "target"}}},
         {"encoding", {{"x", x}, {"y", y}}}});
  }
  layers.push_back({{"mark", {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}}},
                    {"encoding",
                     {{"x", x},
                      {"y", y},
                      {"color", series_encoding()},
                      {"shape", series_encoding()},
                      {"tooltip",
                       {{{"field", "series"}},
                        {{"field", "facet"}},
                        {{"field", "x"}, {"title", axis.title}},
                        {{"field", "y"}, {"title", y_title}}}}}}});
  return in_facets({{"layer", std::move(layers)}}, values, facets);
}

constexpr const char* kEntropy = "entropy of the bits";

Json byte_values(const std::vector<Series>& all, const Axis& axis,
                 const std::vector<std::string>& facets, bool& has_entropy) {
  Json values = Json::array();
  std::set<std::string> drawn;  // the entropy is one for all strategies
  for (const Series& series : all) {
    if (std::ranges::find(facets, series.facet) == facets.end()) continue;
    for (const Point* point : series.points) {
      const Json x = x_of(*point, axis);
      // Zero has no place on a log axis.
      if (point->map_output_bytes.value_or(0) > 0) {
        values.push_back({{"x", x},
                          {"y", *point->map_output_bytes},
                          {"series", series.name},
                          {"facet", series.facet},
                          {"is_entropy", false}});
      }
      if (point->entropy_bytes.value_or(0) <= 0) continue;
      if (!drawn.insert(series.facet + "\n" + x.dump()).second) continue;
      has_entropy = true;
      values.push_back({{"x", x},
                        {"y", *point->entropy_bytes},
                        {"series", kEntropy},
                        {"facet", series.facet},
                        {"is_entropy", true}});
    }
  }
  return values;
}

// "6.45 MiB at p 0.1, 32.2 MiB at p 1e-05": the ends of the axis, on which "optimal" has no place.
std::string from_to(const Series& series, const Axis& axis,
                    const std::function<std::string(const Point&)>& text) {
  std::vector<const Point*> placed;
  std::ranges::copy_if(series.points, std::back_inserter(placed), [&](const Point* point) {
    return !point->settings.at(axis.name).is_null();
  });
  if (placed.size() < 2) placed = series.points;
  const auto end = [&](const Point& point) {
    return fmt::format(
        "{} at {}", text(point),
        fmt::format(fmt::runtime(axis.value), value_text(point.settings, axis.name)));
  };
  return fmt::format("{}, {}", end(*placed.front()), end(*placed.back()));
}

// The series in which the bytes change most, of one strategy; and by how much.
struct Change {
  double ratio = 0;
  const Series* series = nullptr;

  void look_at(const Series& other) {
    double least = HUGE_VAL;
    double most = 0;
    for (const Point* point : other.points) {
      least = std::min(least, static_cast<double>(*point->map_output_bytes));
      most = std::max(most, static_cast<double>(*point->map_output_bytes));
    }
    const double change = least > 0 ? most / least : 1;
    if (series == nullptr || change > ratio) *this = {change, &other};
  }
  [[nodiscard]] bool is_none() const { return ratio < 1.01; }
};

// Engine and strategy; the origin is in the facet, and what is said is said for each.
std::pair<std::string, std::string> name_in_words(const Series& series) {
  return {series.name, series.origin};
}

// What the axis does to the bytes of each strategy. The best k changes with p, so series with a k
// of their own are looked at apart.
std::string change_text(const std::vector<Series>& all, const Axis& axis) {
  std::map<std::pair<std::string, std::string>, std::pair<Change, Change>>
      strategies;  // fixed k, best k
  for (const Series& series : all) {
    auto& [fixed, best] = strategies[name_in_words(series)];
    const bool is_fixed = !series.points.front()->settings.at("hashes").is_null();
    (is_fixed ? fixed : best).look_at(series);
  }
  const auto bytes = [](const Point& point) { return size_text(*point.map_output_bytes); };
  std::string text;
  for (const auto& [name, changes] : strategies) {
    const auto& [fixed, best] = changes;
    text += fmt::format("{}{}: ", text.empty() ? "" : "; ", name.first);
    const Change& shown = best.series != nullptr ? best : fixed;
    const std::string facet =
        shown.series->facet.empty() ? "" : fmt::format(" ({})", shown.series->facet);
    if (shown.is_none()) {
      text += "no change" + (name.second.empty() ? "" : fmt::format(" ({})", name.second));
    } else {
      text += from_to(*shown.series, axis, bytes) + facet;
    }
    if (best.series != nullptr && fixed.series != nullptr && fixed.is_none() && !best.is_none()) {
      text += ", but no change at a fixed k";
    }
  }
  return text;
}

Table axis_table(const std::string& name, const std::vector<Series>& all,
                 const std::vector<std::string>& facets) {
  std::vector<Point> points;
  for (const Series& series : all) {
    if (std::ranges::find(facets, series.facet) == facets.end()) continue;
    for (const Point* point : series.points) points.push_back(*point);
  }
  Table table = points_table(points);
  table.name = name;
  return table;
}

bool has_bytes(const Series& series) {
  return std::ranges::all_of(
      series.points, [](const Point* point) { return point->map_output_bytes.has_value(); });
}

// Settings that were repeated: one run says nothing of time. Of a study without repetitions all are
// drawn all the same, whatever is reported beside it.
std::vector<Point> timed(const std::vector<Point>& points) {
  std::set<std::pair<std::string, std::string>> repeated;
  for (const Point& point : points) {
    if (point.runs > 1) repeated.emplace(point.plan, point.origin);
  }
  std::vector<Point> drawn;
  std::ranges::copy_if(points, std::back_inserter(drawn), [&](const Point& point) {
    return point.runs > 1 || !repeated.contains({point.plan, point.origin});
  });
  return drawn;
}

std::string left_out_text(std::size_t settings) {
  if (settings == 0) return {};
  return fmt::format(
      "Left out, since one run says nothing of time where others were repeated: {}. The table of "
      "every setting has all.",
      counted(settings, "setting"));
}

Json time_values(const std::vector<Series>& all, const Axis& axis,
                 const std::vector<std::string>& facets) {
  Json values = Json::array();
  for (const Series& series : all) {
    if (std::ranges::find(facets, series.facet) == facets.end()) continue;
    for (const Point* point : series.points) {
      values.push_back({{"x", x_of(*point, axis)},
                        {"y", point->wall_median},
                        {"low", point->wall_min},
                        {"high", point->wall_max},
                        {"series", series.name},
                        {"facet", series.facet},
                        {"is_entropy", false}});
    }
  }
  return values;
}

// The first series of each engine and strategy speaks for all of them.
std::string time_text(const std::vector<Series>& all, const Axis& axis) {
  const auto seconds = [](const Point& point) {
    return fmt::format("{:.3g} s", point.wall_median);
  };
  std::map<std::pair<std::string, std::string>, std::string> texts;
  for (const Series& series : all) {
    const std::string facet = series.facet.empty() ? "" : fmt::format(" ({})", series.facet);
    texts.try_emplace(name_in_words(series),
                      fmt::format("{}{}: {}", series.name, facet, from_to(series, axis, seconds)));
  }
  std::string text;
  for (const auto& [name, each] : texts) text += (text.empty() ? "" : "; ") + each;
  return text;
}

}  // namespace

void add_bytes(std::vector<ReportSection>& sections, const std::vector<Point>& points) {
  for (const Axis& axis : kAxes) {
    auto all = series_along(axis.name, points);
    std::erase_if(all, [](const Series& series) { return !has_bytes(series); });
    if (all.empty()) continue;
    ReportSection section{fmt::format("bytes-{}", axis.name),
                          fmt::format("Map output bytes against {}", axis.title)};
    section.words.push_back(
        fmt::format("Map output along {}: {}.", axis.title, change_text(all, axis)));
    const auto facets = facets_of(all, section);
    bool has_entropy = false;
    const Json values = byte_values(all, axis, facets, has_entropy);
    if (values.empty()) continue;
    if (has_entropy) {
      section.words.emplace_back(
          "The dashed line is the entropy of the tasks' filters with every bit taken as "
          "independent: "
          "what no code for their bits goes below. Sorted hashes can.");
    }
    const Json y_extra = {{"scale", {{"type", "log"}, {"nice", false}, {"padding", 8}}},
                          {"axis", {{"format", "~s"}, {"values", log_ticks(values)}}}};
    section.charts.push_back(
        {"chart-" + section.id, section.title,
         lines_chart(axis, "bytes", y_extra, values, facets, false, has_entropy)});
    section.table = axis_table(fmt::format("bytes_{}", axis.name), all, facets);
    sections.push_back(std::move(section));
  }
}

void add_times(std::vector<ReportSection>& sections, const std::vector<Point>& points) {
  const std::vector<Point> repeated = timed(points);
  for (const Axis& axis : kAxes) {
    const auto all = series_along(axis.name, repeated);
    if (all.empty()) continue;
    ReportSection section{fmt::format("time-{}", axis.name),
                          fmt::format("Wall time against {}", axis.title)};
    section.words.emplace_back();  // the finding, below
    const auto facets = facets_of(all, section);
    const Json values = time_values(all, axis, facets);
    section.words.front() =
        fmt::format("Wall time along {}: {}.", axis.title, time_text(all, axis));
    section.words.emplace_back(
        "A mark is the median of the runs, the line through it reaches from the fastest to the "
        "slowest. It is the time of the whole command.");
    section.words.push_back(left_out_text(points.size() - repeated.size()));
    section.charts.push_back(
        {"chart-" + section.id, section.title,
         lines_chart(axis, "seconds", {{"scale", {{"zero", true}}}}, values, facets, true, false)});
    section.table = axis_table(fmt::format("time_{}", axis.name), all, facets);
    sections.push_back(std::move(section));
  }
}

}  // namespace bloomery::cli
