// The flags that say which engine works, and where it is.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "cli/command.h"
#include "cli/input_flags.h"
#include "cli/signals.h"
#include "cli/spark_flags.h"
#include "engines/hadoop/engine.h"

namespace bloomery::cli {

struct EngineOptions {
  std::string engine = "threads";
  std::string classpath;
  std::string staging = "/tmp";
  std::vector<std::string> settings;
  std::optional<std::uint64_t> reducers;
  SparkFlags spark;

  [[nodiscard]] bool is_hadoop() const { return engine == "hadoop"; }
  [[nodiscard]] bool is_spark() const { return engine == "spark"; }
  [[nodiscard]] FarInputs far_inputs() const {
    if (is_hadoop()) return FarInputs::kAllNames;
    return is_spark() ? FarInputs::kAddresses : FarInputs::kNone;
  }
};

// --engine, and what is for Hadoop or Spark alone.
[[nodiscard]] std::vector<Flag> engine_flags(EngineOptions& options);
// --hadoop-classpath alone, for commands that only read from the cluster.
[[nodiscard]] Flag classpath_flag(std::string& classpath);

// The site's Hadoop: the class path where there is one, else `hadoop` on PATH, else in HADOOP_HOME.
// Fails, saying where it was looked for.
Result<hadoop::ClientCommands> find_hadoop(const std::string& classpath);

// How long a command may take to stop when it is interrupted.
[[nodiscard]] inline std::chrono::milliseconds grace_of(const EngineOptions& options) {
  return options.is_hadoop() ? SignalGuard::kCluster : SignalGuard::kQuick;
}

// Fails for flags of an engine that is not the one.
Result<void> check_engine(const EngineOptions& options);
Result<hadoop::HadoopOptions> hadoop_options(const EngineOptions& options,
                                             const std::optional<SecretKey>& secret);

}  // namespace bloomery::cli
