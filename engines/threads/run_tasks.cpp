#include "engines/threads/run_tasks.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "base/parallel.h"
#include "engines/check_tally.h"
#include "engines/reject_file.h"
#include "group/read_input.h"

namespace bloomery {
namespace {

Error interrupted() {
  return make_error(ErrorCode::kIo, "interrupted; nothing was written");
}

// One task: reads its range, and tells the progress how far it is.
class TaskReader {
 public:
  // `is_over` says whether the run has failed elsewhere.
  TaskReader(const TaskRun& run, const InputTask& task, TaskWork& work,
             std::function<bool()> is_over)
      : run_(&run),
        is_over_(std::move(is_over)),
        input_(&(*run.inputs)[task.file]),
        task_(&task),
        work_(&work),
        reader_(run.job->recipe, options(), [this](const KeyBatch& batch) { return take(batch); }) {
  }

  Result<void> read() {
    reader_.start_file(task_->file, input_->input.name(), input_->shape);
    auto done = task_->range ? read_range(input_->input, *task_->range, reader_)
                             : read_all(input_->input, input_->shape, run_->job->max_line, reader_);
    if (!done) return done;
    report_bytes(task_->range ? task_->range->size() : input_->input.bytes_read());
    return work_->finish();
  }

  [[nodiscard]] const Tally& tally() const noexcept { return reader_.tally(); }

 private:
  ReadOptions options() const {
    ReadOptions options;
    options.max_line = run_->job->max_line;
    options.max_groups = run_->job->max_groups;
    options.is_strict = run_->job->rejects.is_strict;
    options.check = [this]() -> Result<void> {
      const bool is_cancelled = run_->progress != nullptr && run_->progress->is_cancelled;
      return is_cancelled || is_over_() ? interrupted() : Result<void>();
    };
    if (RejectFile* const rejects = run_->rejects; rejects != nullptr) {
      options.on_reject = [rejects](const RejectedRecord& record) { rejects->write(record); };
      options.reject_bytes = std::size_t{64} << 10U;
    }
    return options;
  }

  Result<void> take(const KeyBatch& batch) {
    if (run_->progress != nullptr) {
      run_->progress->records.fetch_add(batch.keys.size(), std::memory_order_relaxed);
      report_bytes(bytes_so_far(batch));
    }
    return work_->take(batch, reader_.groups());
  }

  // Keys are views of the mapping, so the last one says how far the task is.
  [[nodiscard]] std::uint64_t bytes_so_far(const KeyBatch& batch) const {
    if (!task_->range) return input_->input.bytes_read();
    const std::string_view bytes = input_->input.bytes();
    const char* last = batch.keys.back().data();
    const auto less = std::less<>();
    if (less(last, bytes.data() + task_->range->begin) ||
        !less(last, bytes.data() + bytes.size())) {
      return reported_;
    }
    return static_cast<std::uint64_t>(last - bytes.data()) - task_->range->begin;
  }

  void report_bytes(std::uint64_t bytes) {
    if (run_->progress == nullptr || bytes <= reported_) return;
    run_->progress->bytes.fetch_add(bytes - reported_, std::memory_order_relaxed);
    reported_ = bytes;
  }

  const TaskRun* run_;
  std::function<bool()> is_over_;
  OpenInput* input_;
  const InputTask* task_;
  TaskWork* work_;
  KeyReader reader_;
  std::uint64_t reported_ = 0;
};

}  // namespace

Result<Tally> run_tasks(const TaskRun& run, const MakeWork& make_work) {
  Tally tally;
  std::optional<Error> failure;
  std::atomic<std::size_t> failed{SIZE_MAX};  // the task whose failure it is
  std::mutex mutex;
  parallel_for(run.threads, run.tasks->size(), [&](std::size_t i) {
    // The first bad record of --strict is the first in the input, so tasks before it go on.
    const auto is_over = [&failed, i, in_order = run.job->rejects.is_strict] {
      const std::size_t other = failed.load(std::memory_order_relaxed);
      return in_order ? other < i : other != SIZE_MAX;
    };
    if (is_over()) return;
    const auto work = make_work(i);
    TaskReader reader(run, (*run.tasks)[i], *work, is_over);
    auto done = reader.read();
    const std::scoped_lock lock(mutex);
    if (done) done = tally.merge(reader.tally());
    // Tasks that were told to stop have nothing to say.
    if (!done && !is_over()) {
      failed = i;
      failure = done.error();
    }
  });
  if (failure) return *failure;
  if (run.rejects != nullptr) {
    if (const auto written = run.rejects->close(); !written) return written.error();
  }
  std::vector<std::string> names;
  for (const OpenInput& input : *run.inputs) names.push_back(input.input.name());
  if (const auto fine = check_tally(tally, run.job->rejects, names); !fine) return fine.error();
  return tally;
}

}  // namespace bloomery
