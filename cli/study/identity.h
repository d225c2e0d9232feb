// Which runs belong together: what they were run on, with what, and which of a plan's are recorded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/json.h"
#include "cli/study/plan.h"

namespace bloomery::cli {

inline constexpr std::string_view kStudySchema = "bloomery/study/1";

// One repetition of one setting.
struct StudyRun {
  const PlannedRun* planned = nullptr;
  std::uint64_t repetition = 0;  // from 1
};

// Names what all runs share: data, keys, groups, flags. Runs of two plans with one digest may stand
// in one table, so a plan can grow and keep what was measured. Files of this machine, --key-file
// too, go in with their bytes, others by name alone.
[[nodiscard]] std::string plan_digest(const StudyPlan& plan);

// Whether a line is of this plan and engine flags, so that its run need not be repeated.
[[nodiscard]] bool is_of_plan(const Json& line, const StudyPlan& plan, const std::string& digest);

// All runs of the plan in the order of its seed, the same on every machine, without those that
// `lines` has.
[[nodiscard]] std::vector<StudyRun> pending_runs(const StudyPlan& plan, const std::string& digest,
                                                 const std::vector<Json>& lines);

// One text for each run that was made, however often its line was copied.
[[nodiscard]] std::string run_identity(const Json& line);

// Specs of which runs gave different banks, in words; empty when all is well.
[[nodiscard]] std::vector<std::string> disagreements(const std::vector<Json>& lines);

}  // namespace bloomery::cli
