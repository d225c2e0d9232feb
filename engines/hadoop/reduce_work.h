// The reduce functions of the three jobs, as Hadoop runs them.
//
//   takes   letters of all map tasks, sorted by subject and detail
//   gives   records for the driver, far fewer of them
#pragma once

#include <memory>

#include "bloomery/bank.h"
#include "bloomery/result.h"
#include "engines/hadoop/trailers.h"
#include "engines/hadoop/worker_job.h"

namespace bloomery::hadoop {

class ReduceWork {
 public:
  ReduceWork() = default;
  ReduceWork(const ReduceWork&) = delete;
  ReduceWork& operator=(const ReduceWork&) = delete;
  virtual ~ReduceWork() = default;

  virtual Result<void> take(const Letter& letter) = 0;
  // After the last letter.
  virtual Result<void> finish() = 0;
};

// `job`, `bank` and `output` must outlive the work.
[[nodiscard]] std::unique_ptr<ReduceWork> plan_reduce(TaskOutput& output);
[[nodiscard]] std::unique_ptr<ReduceWork> build_reduce(const WorkerJob& job, TaskOutput& output);
[[nodiscard]] std::unique_ptr<ReduceWork> verify_reduce(const Bank& bank, TaskOutput& output);

}  // namespace bloomery::hadoop
