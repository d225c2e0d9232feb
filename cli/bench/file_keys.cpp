#include "cli/bench/file_keys.h"

#include <memory>

#include "engines/task_work.h"
#include "engines/threads/job.h"

namespace bloomery::cli {
namespace {

// Of one thread: there is only one.
class Collecting : public TaskWork {
 public:
  explicit Collecting(std::vector<std::string>& to) : to_(&to) {}

  Result<void> take(const KeyBatch& batch, const GroupTable& /*groups*/) override {
    to_->insert(to_->end(), batch.keys.begin(), batch.keys.end());
    return {};
  }
  Result<void> finish() override { return {}; }

 private:
  std::vector<std::string>* to_;
};

}  // namespace

Result<std::vector<std::string>> file_keys(const JobInput& input, JobProgress* progress) {
  JobFacts facts;
  TaskOptions options;
  options.threads = 1;
  auto setup = set_up(input, options, facts);
  if (!setup) return setup.error();
  std::vector<std::string> keys;
  const auto tally = read_inputs(
      *setup, input, [&](std::size_t) { return std::make_unique<Collecting>(keys); }, progress);
  if (!tally) return tally.error();
  return keys;
}

}  // namespace bloomery::cli
