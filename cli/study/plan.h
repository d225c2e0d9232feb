// The plan of a study: a TOML file to the runs it asks for.
//
//   takes   PLAN.toml (docs/study.md has the grammar)
//   gives   what all runs share, and each setting with its number of repetitions
//
// Every mistake is an error here, with its line and key, so that nothing runs of a plan that cannot
// run to its end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "cli/study/settings.h"

namespace bloomery::cli {

struct PlannedRun {
  RunSettings settings;
  std::uint64_t repetitions = 1;
  std::string where;  // "plan.toml: line 12", for messages
};

struct StudyPlan {
  std::string title;
  std::vector<std::string> inputs;
  std::string key;                                               // empty: plain lines
  std::string group;                                             // empty: one group
  std::vector<std::string> flags;                                // more of bloomery build
  std::map<std::string, std::vector<std::string>> engine_flags;  // for runs on that engine alone
  std::uint64_t seed = 1;                                        // of the order of the runs
  std::uint64_t warmup = 1;  // runs of every engine that are not recorded
  bool verify = true;
  std::vector<PlannedRun> runs;  // each setting once

  // For messages: "plan.toml: line 3".
  std::string input_where;
  std::string flags_where;
  std::map<std::string, std::string> engine_where;  // of an engine that is named
};

// `name` is for messages.
Result<StudyPlan> plan_from_toml(std::string_view text, const std::string& name);

// The plans that come with the program, by name; and the text of one.
[[nodiscard]] std::vector<std::string> ready_plan_names();
[[nodiscard]] std::string_view ready_plan(std::string_view name);

}  // namespace bloomery::cli
