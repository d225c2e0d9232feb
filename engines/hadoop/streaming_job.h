// One job of Hadoop Streaming, from its submission to its end.
//
//   takes   inputs, files, sizes
//   gives   what the cluster's counters say, or why it failed, with what the task said
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "engines/hadoop/client.h"
#include "engines/jobs.h"

namespace bloomery::hadoop {

struct StreamingJob {
  std::string what;  // "plan", "build", "verify": for people
  std::vector<std::string> inputs;
  std::string output;              // a folder that is not there
  std::vector<std::string> files;  // "file:///path#name", for every task
  std::uint32_t reduces = 1;
  std::optional<std::uint64_t> maps;         // asked of Hadoop, which may give others
  std::optional<std::uint64_t> split_bytes;  // at least so many a map
  std::optional<std::uint64_t> lines_per_map;
  std::uint64_t map_memory = 0;  // of a worker, in bytes
  std::uint64_t reduce_memory = 0;
  std::vector<std::string> settings;
};

// Waits for the end of the job; a cancelled one is killed on the cluster. `on_progress` gets the
// share that is done.
Result<ClusterJob> run_streaming(const Client& client, const StreamingJob& job,
                                 const std::atomic<bool>* is_cancelled,
                                 const std::function<void(double)>& on_progress);

}  // namespace bloomery::hadoop
