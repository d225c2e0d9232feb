// What was measured, against what, and whether the target was met: as text while it runs, as one
// table and as JSON at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness.h"

namespace bloomery::bench {

// How the machine and the program are named in a report.
struct Fact {
  std::string name;
  std::string value;
};

// A promise, and the bound that keeps it. Several rows may be under one promise: the worst counts.
struct Target {
  std::string promise;
  double bound = 0;
  bool at_least = false;  // otherwise at most
  [[nodiscard]] bool met_by(double value) const noexcept {
    return at_least ? value >= bound : value <= bound;
  }
};

struct Row {
  std::string question;
  std::string name;
  double value = 0;  // in `unit`
  double median = 0;
  std::string unit = "ns";
  std::optional<double> ratio = {};  // to `against`; a target is a bound on it
  std::string against = {};
  std::optional<Target> target = {};
};

class Report {
 public:
  explicit Report(std::vector<Fact> facts);

  void begin(std::string question, std::string_view says);
  // ns per key, alone.
  void add(std::string name, const Timing& timing);
  // ns per key, and its ratio to another time.
  void add(std::string name, const Timing& timing, double other, std::string against,
           std::optional<Target> target = {});
  // Anything else: a size, a rate, a ratio of its own.
  void add(Row row);
  // A line of text between the rows.
  void note(std::string_view text);

  // One line a promise, with the row that comes nearest to breaking it or breaks it most.
  void print_targets() const;
  [[nodiscard]] std::string json() const;

 private:
  std::vector<Fact> facts_;
  std::vector<Row> rows_;
  std::vector<std::string> notes_;
  std::string question_;
};

}  // namespace bloomery::bench
