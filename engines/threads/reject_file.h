// Every rejected record of a job, as JSON lines, in the order in which tasks find them.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "parse/tally.h"

namespace bloomery {

class RejectFile {
 public:
  // Replaces what is there. `inputs` are the names of the job's inputs.
  static Result<std::unique_ptr<RejectFile>> create(std::string path,
                                                    std::vector<std::string> inputs);

  // Any thread may call it. A failure shows in close().
  void write(const RejectedRecord& record);
  Result<void> close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  RejectFile(std::string path, std::vector<std::string> inputs, std::FILE* file)
      : path_(std::move(path)), inputs_(std::move(inputs)), file_(file) {}

  std::string path_;
  std::vector<std::string> inputs_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::mutex mutex_;
  int error_number_ = 0;
};

}  // namespace bloomery
