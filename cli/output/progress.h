// How far a job is, on a terminal's standard error; in lines, with -v, where there is none.
#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "cli/output/console.h"
#include "engines/jobs.h"

namespace bloomery::cli {

// "reading  47 %  1.2 GiB of 2.5 GiB  31,204,112 records  2.1 GiB/s  ETA 1 s"
[[nodiscard]] std::string progress_line(const JobProgress& progress, double seconds);

// Shows `progress` ten times a second from its making to its end, on a thread of its own.
class ProgressBar {
 public:
  ProgressBar(const Console& console, const JobProgress& progress);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

 private:
  void show();

  const Console* console_;
  const JobProgress* progress_;
  bool is_bar_;
  std::chrono::steady_clock::time_point start_;
  std::atomic<bool> is_done_{false};
  std::thread thread_;
};

}  // namespace bloomery::cli
