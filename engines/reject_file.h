// Every rejected record of a job, as JSON lines, in the order in which tasks find them.
//
// The file appears when the job has read everything, and replaces nothing unless it may.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "bloomery/result.h"
#include "parse/tally.h"

namespace bloomery {

// One record as a line of the file, without its end.
[[nodiscard]] std::string reject_line(const RejectedRecord& record, const std::string& input);

class RejectFile {
 public:
  // `inputs` are the names of the job's inputs.
  static Result<std::unique_ptr<RejectFile>> create(const std::string& path, bool overwrite,
                                                    std::vector<std::string> inputs);

  // Any thread may call it. A failure shows in close().
  void write(const RejectedRecord& record);
  Result<void> close();

 private:
  RejectFile(AtomicFile file, std::vector<std::string> inputs)
      : file_(std::move(file)), inputs_(std::move(inputs)) {}
  void flush();

  AtomicFile file_;
  std::vector<std::string> inputs_;
  std::mutex mutex_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  std::optional<Error> failure_;
};

}  // namespace bloomery
