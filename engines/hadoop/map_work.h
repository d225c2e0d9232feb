// The map functions of the three jobs, as Hadoop runs them: what a task does with its keys.
//
//   takes   batches of keys
//   gives   records for the reducers
#pragma once

#include <cstdint>
#include <memory>

#include "bloomery/bank.h"
#include "engines/hadoop/trailers.h"
#include "engines/hadoop/worker_job.h"
#include "engines/task_work.h"
#include "query/batch_prober.h"

namespace bloomery::hadoop {

// `job` and `output` must outlive the work.
[[nodiscard]] std::unique_ptr<TaskWork> plan_work(const WorkerJob& job, const Hasher& hasher,
                                                  TaskOutput& output);
[[nodiscard]] std::unique_ptr<TaskWork> build_work(const WorkerJob& job, TaskOutput& output);
[[nodiscard]] std::unique_ptr<TaskWork> verify_work(const WorkerJob& job, const Bank& bank,
                                                    const BankHashers& hashers, TaskOutput& output);

}  // namespace bloomery::hadoop
