// Where numbers come from: what runs differ in beside their settings.
//
//   takes   facts
//   gives   words for each line: data, machine, versions, cluster, flags of its engine, as far as
//           they are not the same in all; empty where nothing differs
//
// Runs of different origins are never one number.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/report/facts.h"

namespace bloomery::cli {

class Origins {
 public:
  explicit Origins(const Facts& facts);

  // Of a line of study.
  [[nodiscard]] std::string of_run(const Json& run) const;
  // What names the data of a plan; empty where all runs are of one plan.
  [[nodiscard]] std::string of_plan(const std::string& plan) const;
  // Of facts.benches, in their order.
  [[nodiscard]] const std::vector<std::string>& of_benches() const noexcept { return benches_; }

 private:
  using Fields = std::vector<std::string>;
  // What an engine's runs differ in: whether each field has several values.
  using Varies = std::vector<bool>;

  void name_plans(const Facts& facts);

  std::map<std::string, std::string> plans_;  // by digest
  Varies varies_;                             // between all runs
  std::map<std::string, Varies> engines_;     // between runs of one engine
  std::vector<std::string> benches_;
};

// `label`, or with a number where it was there before: of two banks with one name both are shown.
[[nodiscard]] std::string distinct(std::set<std::string>& seen, const std::string& label);

}  // namespace bloomery::cli
