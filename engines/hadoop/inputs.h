// The inputs of a job, wherever they lie: looked at, and what Hadoop must know of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "engines/hadoop/client.h"
#include "engines/hadoop/task_report.h"
#include "engines/jobs.h"

namespace bloomery::hadoop {

struct HadoopInput {
  ReportedFile file;   // its name is the user's
  std::string local;   // empty for one that lies on the cluster
  std::string remote;  // where tasks find it; empty until it is put there
  // A CR that no LF follows. Known only where it was looked for.
  bool has_lone_cr = false;
};

// Looks at the beginning of each. Fails for what is not there, not text, or nothing that Hadoop can
// read, and for files whose columns differ. `looks_for_cr` reads all of each.
Result<std::vector<HadoopInput>> open_inputs(const Client& client, const JobInput& job,
                                             bool looks_for_cr, JobFacts& facts);

// The split size that gives exactly `tasks` maps of a plain file of `size` bytes, as Hadoop cuts
// it; 0 where none does.
[[nodiscard]] std::uint64_t split_bytes_for(std::uint64_t size, std::uint64_t tasks);

}  // namespace bloomery::hadoop
