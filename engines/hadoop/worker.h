// A task of a job: what Hadoop starts on a node.
//
//   takes   the job's files, what Hadoop says about the task, and records on standard input
//   gives   records on standard output
//
// Whatever the data or the job's files are to blame for goes to the driver as a record, and the
// task ends well: to try it three times more would only lose time. Everything else ends the task
// with an error, and Hadoop tries again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bloomery/result.h"
#include "engines/hadoop/record_stream.h"
#include "input/byte_source.h"

namespace bloomery::hadoop {

// What Hadoop tells a task.
struct TaskPlace {
  std::uint32_t number = 0;  // among the maps, or among the reduces
  std::uint32_t maps = 0;    // of a reduce: how many must have sent something
  std::uint32_t reduces = 1;
  std::string input_file;  // of a map
  std::uint64_t input_start = 0;
  std::string folder = ".";  // where the job's files are
};

Result<void> run_map(const TaskPlace& place, std::unique_ptr<ByteSource> input, RecordSink& sink);
Result<void> run_reduce(const TaskPlace& place, std::unique_ptr<ByteSource> input,
                        RecordSink& sink);

// The whole process: `what` is "map" or "reduce". Reads the environment and standard input; the
// value is the exit status.
int run_worker(const std::string& what);

}  // namespace bloomery::hadoop
