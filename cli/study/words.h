// The command lines of a study's runs.
#pragma once

#include <string>
#include <vector>

#include "cli/study/plan.h"

namespace bloomery::cli {

using Words = std::vector<std::string>;

// A word or two of the plan's `flags`.
struct PlanFlag {
  std::string name;  // "--hash"; empty: build has no such flag
  Words words;

  // Of a flag that has one and a long name: the second word, or what follows "=".
  [[nodiscard]] std::string value() const {
    return words.size() > 1 ? words[1] : words[0].substr(words[0].find('=') + 1);
  }
};
[[nodiscard]] std::vector<PlanFlag> plan_flags(const StudyPlan& plan);

// The flags that are the same in every run.
[[nodiscard]] Words shared_words(const StudyPlan& plan);
// Those of runs on one engine.
[[nodiscard]] Words engine_words(const StudyPlan& plan, const std::string& engine);
// After "build", with --json.
[[nodiscard]] Words build_words(const StudyPlan& plan, const RunSettings& settings,
                                const std::string& bank);
// After "verify", with --json.
[[nodiscard]] Words verify_words(const StudyPlan& plan, const RunSettings& settings,
                                 const std::string& bank);

// Whether it is a file of this machine.
[[nodiscard]] bool is_here(const std::string& path);

}  // namespace bloomery::cli
