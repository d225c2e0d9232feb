#include "engines/threads/run_batches.h"

#include <fmt/core.h>

#include <atomic>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "base/parallel.h"
#include "engines/check_tally.h"
#include "group/read_columns.h"

namespace bloomery {
namespace {

constexpr std::string_view kName = "record batches";

// One batch with the number of its first record, which is the order they came in.
class NumberedBatches {
 public:
  explicit NumberedBatches(BatchSource& source) : source_(&source) {}

  struct Numbered {
    OwnedArray batch;
    std::uint64_t first = 0;
  };
  Result<Numbered> next() {
    const std::scoped_lock lock(mutex_);
    auto batch = source_->next();
    if (!batch) return batch.error();
    const auto length = batch->is_empty() ? 0 : static_cast<std::uint64_t>((*batch)->length);
    return Numbered{*std::move(batch), std::exchange(records_, records_ + length)};
  }

 private:
  BatchSource* source_;
  std::mutex mutex_;
  std::uint64_t records_ = 0;
};

class BatchTask {
 public:
  BatchTask(const TaskRun& run, TaskWork& work, const std::atomic<bool>& stop)
      : run_(&run),
        work_(&work),
        stop_(&stop),
        reader_(run.job->recipe, options(), [this](const KeyBatch& batch) { return take(batch); }) {
    reader_.start_columns(0, std::string(kName));
  }

  Result<void> read(const ColumnFinder& finder, NumberedBatches& batches) {
    while (true) {
      const auto next = batches.next();
      if (!next) return next.error();
      if (next->batch.is_empty()) return work_->finish();
      const auto columns = finder.columns(run_->job->batches->schema(), *next->batch);
      if (!columns) return columns.error();
      if (auto done = reader_.read(*columns, next->first); !done) return done;
    }
  }

  [[nodiscard]] const Tally& tally() const noexcept { return reader_.tally(); }

 private:
  [[nodiscard]] ReadOptions options() const {
    ReadOptions options;
    options.max_groups = run_->job->max_groups;
    options.is_strict = run_->job->rejects.is_strict;
    if (run_->rejects != nullptr) {
      options.on_reject = [this](const RejectedRecord& record) { run_->rejects->write(record); };
    }
    return options;
  }

  Result<void> take(const KeyBatch& batch) {
    const bool is_cancelled = run_->progress != nullptr && run_->progress->is_cancelled;
    if (stop_->load(std::memory_order_relaxed) || is_cancelled) {
      return make_error(ErrorCode::kIo, "interrupted; nothing was written");
    }
    if (run_->progress != nullptr) {
      run_->progress->records.fetch_add(batch.keys.size(), std::memory_order_relaxed);
    }
    return work_->take(batch, reader_.groups());
  }

  const TaskRun* run_;
  TaskWork* work_;
  const std::atomic<bool>* stop_;
  KeyReader reader_;
};

}  // namespace

std::string describe_columns(const ArrowSchema& schema) {
  return fmt::format("{} column{}", schema.n_children, schema.n_children == 1 ? "" : "s");
}

Result<Tally> run_batches(const TaskRun& run, const MakeWork& make_work) {
  const auto finder = ColumnFinder::create(run.job->recipe, run.job->batches->schema(), kName);
  if (!finder) return finder.error();
  NumberedBatches batches(*run.job->batches);
  Tally tally;
  std::optional<Error> failure;
  std::atomic<bool> stop{false};
  std::mutex mutex;
  parallel_for(run.threads, run.threads, [&](std::size_t i) {
    const auto work = make_work(i);
    BatchTask task(run, *work, stop);
    auto done = task.read(*finder, batches);
    const std::scoped_lock lock(mutex);
    if (done) done = tally.merge(task.tally());
    if (!done && !stop.exchange(true)) failure = done.error();
  });
  if (failure) return *failure;
  if (run.rejects != nullptr) {
    if (const auto written = run.rejects->close(); !written) return written.error();
  }
  if (const auto fine = check_tally(tally, run.job->rejects); !fine) return fine.error();
  return tally;
}

}  // namespace bloomery
