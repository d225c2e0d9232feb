// The section about threads: how much faster more of them are, beside the ideal.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "cli/output/numbers.h"
#include "cli/report/axis.h"
#include "cli/report/origins.h"
#include "cli/report/sections.h"

namespace bloomery::cli {
namespace {

// Runs and benches that differ in their threads alone, against one thread.
class SpeedUp {
 public:
  void add_builds(const std::vector<Point>& points) {
    for (const Series& series : series_along("threads", points)) {
      // The ideal is drawn from one thread, so a series needs that point; "all" has no number.
      const auto one = std::ranges::find_if(
          series.points, [](const Point* point) { return point->settings.at("threads") == 1; });
      if (one == series.points.end()) continue;
      const std::string what =
          series.facet.empty() ? series.name : fmt::format("{}, {}", series.name, series.facet);
      for (const Point* point : series.points) {
        if (point->settings.at("threads").is_null()) continue;
        add("build: " + what, point->settings["threads"], point->wall_median,
            (*one)->wall_median / point->wall_median);
      }
    }
  }

  void add_benches(const Facts& facts) {
    const Origins origins(facts);
    for (std::size_t i = 0; i < facts.benches.size(); ++i) {
      for (const Json& row : facts.benches[i].value("threads", Json::array())) {
        add_bench_row(row, origins.of_benches()[i]);
      }
    }
  }

  // Nothing where nothing was added.
  [[nodiscard]] std::optional<ReportSection> section() && {
    if (table_.rows.empty()) return std::nullopt;
    // Two points make the line.
    for (const double threads : {1.0, most_threads_}) {
      values_.push_back({{"series", "ideal"}, {"x", threads}, {"y", threads}, {"is_ideal", true}});
    }
    ReportSection section{"speed-up", "Speed-up with threads"};
    section.words.push_back(fmt::format("Threads: at best {}.", best_));
    section.charts.push_back({"chart-speed-up", section.title, chart()});
    section.table = std::move(table_);
    return section;
  }

 private:
  void add(const std::string& what, double threads, double seconds, double speed_up) {
    table_.rows.push_back({Cell::text(what), Cell::count(static_cast<std::uint64_t>(threads)),
                           Cell::number(seconds), Cell::number(speed_up),
                           Cell::rate(speed_up / threads)});
    values_.push_back({{"series", what}, {"x", threads}, {"y", speed_up}, {"is_ideal", false}});
    most_threads_ = std::max(most_threads_, threads);
    if (speed_up <= best_speed_up_) return;
    best_speed_up_ = speed_up;
    best_ = fmt::format("{:.3g} times as fast on {} ({})", speed_up,
                        counted(static_cast<std::uint64_t>(threads), "thread"), what);
  }

  void add_bench_row(const Json& row, const std::string& origin) {
    const std::string what = fmt::format("{} of {} keys{}{}", row.value("kind", "filter"),
                                         grouped(row.at("keys").get<std::uint64_t>()),
                                         origin.empty() ? "" : ", ", origin);
    for (const char* job : {"insert", "query"}) {
      const Json time = row.value(fmt::format("{}_ms", job), Json());
      const Json speed_up = row.value(fmt::format("{}_speed_up", job), Json());
      if (!time.is_number() || !speed_up.is_number()) continue;
      add(fmt::format("{}: {}", job, what), row.at("threads"), time.get<double>() / 1000, speed_up);
    }
  }

  [[nodiscard]] Json chart() const {
    const Axis axis{"threads", "threads", "linear", "{} threads"};
    const Json x = x_encoding(axis, values_);
    const Json y = {
        {"field", "y"}, {"type", "quantitative"}, {"title", "times as fast as one thread"}};
    const Json color = series_encoding();
    return {
        {"data", {{"values", values_}}},
        {"layer",
         {{{"transform", {{{"filter", "datum.is_ideal"}}}},
           {"mark", {{"type", "line"}, {"strokeDash", {5, 4}}, {"color", "target"}}},
           {"encoding", {{"x", x}, {"y", y}}}},
          {{"transform", {{{"filter", "!datum.is_ideal"}}}},
           {"mark", {{"type", "line"}, {"strokeWidth", 2}}},
           {"encoding", {{"x", x}, {"y", y}, {"color", color}}}},
          {{"transform", {{{"filter", "!datum.is_ideal"}}}},
           {"mark", {{"type", "point"}, {"filled", true}, {"size", 60}, {"opacity", 1}}},
           {"encoding",
            {{"x", x},
             {"y", y},
             {"color", color},
             {"shape", color},
             {"tooltip",
              {{{"field", "series"}}, {{"field", "x"}}, {{"field", "y"}, {"format", ".3f"}}}}}}}}}};
  }

  Table table_{.name = "speed_up",
               .columns = {{"what", "what", true},
                           {"threads", "threads"},
                           {"seconds", "seconds"},
                           {"speed_up", "speed-up"},
                           {"efficiency", "efficiency"}}};
  Json values_ = Json::array();
  double most_threads_ = 1;
  double best_speed_up_ = 0;
  std::string best_;
};

}  // namespace

void add_speed_up(std::vector<ReportSection>& sections, const Facts& facts,
                  const std::vector<Point>& points) {
  SpeedUp speed_up;
  speed_up.add_builds(points);
  speed_up.add_benches(facts);
  if (auto section = std::move(speed_up).section()) sections.push_back(*std::move(section));
}

}  // namespace bloomery::cli
