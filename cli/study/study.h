// A study: every run of a plan as a process of its own, recorded as a JSON line
// (docs/schema/study.json).
//
//   takes   a checked plan and the lines of earlier sessions
//   gives   the lines that were missing
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "cli/output/console.h"
#include "cli/study/identity.h"
#include "cli/study/plan.h"
#include "cli/study/run_file.h"
#include "cli/study/words.h"
#include "engines/hadoop/child_process.h"

namespace bloomery::cli {

// Tries the flags of every setting, and the engines. Nothing is read or run.
Result<void> check_plan(const StudyPlan& plan, const Console& console);

class Study {
 public:
  // `scratch` is a folder for banks, `digest` that of the plan; all must outlive it.
  Study(const StudyPlan& plan, RunFile& file, std::string scratch, const Console& console,
        const std::atomic<bool>& is_cancelled, std::string digest);

  // Seconds that the runs will take, from what was measured so far.
  [[nodiscard]] double expected_seconds(const std::vector<StudyRun>& runs) const;

  // `on_line` sees every line that is recorded.
  Result<void> run(const std::vector<StudyRun>& runs,
                   const std::function<void(const Json&)>& on_line);

 private:
  [[nodiscard]] std::string bank_path() const;
  [[nodiscard]] Result<hadoop::ChildResult> run_command(const std::string& command,
                                                        Words words) const;
  Result<void> warm_up(const std::vector<StudyRun>& runs);
  Result<Json> measure(const StudyRun& run);
  Result<Json> verify(const RunSettings& settings);
  void show(const std::vector<StudyRun>& runs, std::size_t done) const;

  const StudyPlan* plan_;
  RunFile* file_;
  std::string scratch_;
  const Console* console_;
  const std::atomic<bool>* is_cancelled_;
  std::string digest_;
  bool is_warm_ = false;
};

}  // namespace bloomery::cli
