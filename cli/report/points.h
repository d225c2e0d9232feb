// Runs of one setting as one point, and points along an axis as series.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/report/facts.h"

namespace bloomery::cli {

// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON throws only when its own type is broken
struct Point {
  std::string plan;    // its digest: runs on other data are other points
  std::string origin;  // so are those of other machines, versions and engine flags
  Json settings;
  std::uint64_t runs = 0;
  std::uint64_t tasks = 0;  // that ran
  double wall_min = 0;
  double wall_median = 0;
  double wall_max = 0;
  double cpu_median = 0;
  std::uint64_t peak_memory = 0;  // the highest; 0: not known
  // Of the tasks, by the cluster's count; the numbers above are those of the command.
  std::optional<double> cluster_cpu_median;
  std::optional<std::uint64_t> cluster_memory;  // the highest of a task
  std::optional<std::uint64_t> map_output_bytes;
  std::optional<std::uint64_t> shuffle_bytes;
  std::optional<double> entropy_bytes;
};

// By origin, in the order of their settings.
[[nodiscard]] std::vector<Point> points_of(const Facts& facts);
[[nodiscard]] Table points_table(const std::vector<Point>& points);

// The points along one axis that agree in all other settings.
struct Series {
  std::string name;    // "threads, filters": engine and strategy, which have colours
  std::string facet;   // "k 7, 9 tasks": what else differs between series; empty: nothing does
  std::string origin;  // of all its points
  std::vector<const Point*> points;  // by the axis; two or more
};
[[nodiscard]] std::vector<Series> series_along(const std::string& axis,
                                               const std::vector<Point>& points);

// "0.001", "optimal"
[[nodiscard]] std::string value_text(const Json& settings, const std::string& axis);

}  // namespace bloomery::cli
