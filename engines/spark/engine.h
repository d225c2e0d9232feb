// The Spark engine: plan, build and verify on a cluster, with the bytes and counts of the threads
// engine.
//
//   takes   the jobs of engines/threads/engine.h, a master, and a Python that has the package
//   gives   the same results
//
// The jobs are those of the Python package: this starts `python -m bloomery.spark`, hands the job
// over as JSON and reads the result. docs/spark.md has the rest.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "bloomery/result.h"
#include "engines/threads/engine.h"

namespace bloomery::spark {

struct SparkOptions {
  std::string master;                       // local[2], spark://HOST:PORT, yarn, sc://HOST:PORT
  std::string python;                       // the interpreter to start
  std::map<std::string, std::string> conf;  // spark.NAME and its value
  std::optional<SecretKey> secret;
  bool shows_log = false;  // what Spark says goes to standard error as it comes
};

Result<PlanResult> run_plan(const PlanJob& job, const SparkOptions& options);
Result<BuildResult> run_build(const BuildJob& job, const SparkOptions& options);
Result<VerifyResult> run_verify(const Bank& bank, const std::string& bank_path,
                                const VerifyJob& job, const SparkOptions& options);

}  // namespace bloomery::spark
