// The hadoop engine: plan, build and verify as jobs of a cluster.
//
//   takes   what the threads engine takes, and how Hadoop is started
//   gives   the same results, to the byte
//
// It puts files where the cluster finds them, starts jobs, and reads their results; the tasks of
// src/ run in workers on the cluster's nodes. It never sees a key, but for the first bytes of each
// input, which tell its columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/bank.h"
#include "engines/hadoop/client.h"
#include "engines/jobs.h"

namespace bloomery::hadoop {

struct HadoopOptions {
  ClientCommands commands;
  std::string worker;                     // the executable that nodes run
  std::string staging = "/tmp";           // a folder on the cluster
  std::vector<std::string> settings;      // NAME=VALUE, given to Hadoop as they are
  std::optional<std::uint32_t> reducers;  // default: as the filters need
  std::optional<SecretKey> secret;        // of HashId::kSip
};

// Whether a path is for Hadoop's client: it has a scheme, as in hdfs://host/path.
[[nodiscard]] bool is_remote(const std::string& path);

Result<PlanResult> run_plan(const PlanJob& job, const HadoopOptions& options,
                            JobProgress* progress = nullptr);
Result<BuildResult> run_build(const BuildJob& job, const HadoopOptions& options,
                              JobProgress* progress = nullptr);
// `bank_path` is where the bank lies, here or on the cluster.
Result<VerifyResult> run_verify(const Bank& bank, const std::string& bank_path,
                                const VerifyJob& job, const HadoopOptions& options,
                                JobProgress* progress = nullptr);

}  // namespace bloomery::hadoop
