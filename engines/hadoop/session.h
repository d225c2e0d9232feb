// What the jobs of one command share: inputs on the cluster, folders there and here, and the way a
// job is run.
//
//   takes   a job of engines/jobs.h
//   gives   letters of the reducers, and what became of every record
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "engines/hadoop/engine.h"
#include "engines/hadoop/inputs.h"
#include "engines/hadoop/streaming_job.h"
#include "engines/hadoop/task_report.h"
#include "engines/hadoop/trailers.h"
#include "engines/hadoop/worker_job.h"
#include "engines/job_clock.h"
#include "engines/jobs.h"
#include "engines/reject_file.h"

namespace bloomery::hadoop {

// A folder of this machine that goes when it is done with.
class LocalFolder {
 public:
  static Result<LocalFolder> create(const std::string& parent);
  LocalFolder(LocalFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  LocalFolder& operator=(LocalFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~LocalFolder();
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  explicit LocalFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

struct JobNeeds {
  std::string what;
  std::uint32_t reducers = 1;
  std::uint64_t map_memory = 0;  // of a worker
  std::uint64_t reduce_memory = 0;
  std::vector<std::string> files;  // more of them, as "URI#name"
};

// What a job left behind.
struct JobOutcome {
  std::string folder;  // with the part files, here
  std::uint64_t id = 0;
  std::uint32_t reducers = 1;
  MergedReports reports;
};

class Session {
 public:
  // Looks at the inputs and puts those of this machine on the cluster.
  static Result<std::unique_ptr<Session>> open(const JobInput& input, const TaskOptions& tasks,
                                               const HadoopOptions& options, JobProgress* progress);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  // Removes what is on the cluster.
  ~Session();

  // The part of a worker's job that all three have in common.
  [[nodiscard]] WorkerJob worker_job(JobKind kind) const;

  // Runs the job to its end, checks that all of its records are here and what became of those of
  // the input, and gives letters that are for the job alone to `use`.
  Result<JobOutcome> run(const WorkerJob& job, const JobNeeds& needs,
                         const std::function<Result<void>(const Letter&)>& use);

  // The same letters once more.
  static Result<void> each_letter_of(const JobOutcome& outcome,
                                     const std::function<Result<void>(const Letter&)>& use);

  // Writes --rejects, of the first job alone: a second one rejects the same. Fails when there are
  // too many.
  Result<void> judge(const JobOutcome& outcome);

  [[nodiscard]] const Client& client() const noexcept { return client_; }
  [[nodiscard]] const std::string& folder() const noexcept { return local_.path(); }
  // Hexadecimal digits that no other session has.
  [[nodiscard]] std::string token() const { return remote_.substr(remote_.rfind('-') + 1); }
  [[nodiscard]] const JobInput& input() const noexcept { return *input_; }
  [[nodiscard]] JobFacts& facts() noexcept { return facts_; }
  [[nodiscard]] JobClock& clock() noexcept { return clock_; }
  [[nodiscard]] const HadoopOptions& options() const noexcept { return *options_; }
  [[nodiscard]] bool is_cancelled() const noexcept {
    return progress_ != nullptr && progress_->is_cancelled;
  }

 private:
  Session(const JobInput& input, const TaskOptions& tasks, const HadoopOptions& options,
          JobProgress* progress, LocalFolder local, std::string remote);

  Result<void> look_at_inputs();
  Result<void> put_inputs();
  Result<void> write_rejects(const JobOutcome& outcome);
  [[nodiscard]] Error first_rejected() const;
  Result<void> check_tasks() const;
  void cut(StreamingJob& job);
  Result<StreamingJob> prepare(const WorkerJob& job, const JobNeeds& needs);
  Result<ClusterJob> run_with_progress(const StreamingJob& streaming, JobKind kind);
  static Result<std::vector<TaskReport>> reports_of(
      const JobOutcome& outcome, const std::function<Result<void>(const Letter&)>& use);
  void note_tasks(std::size_t tasks);
  Result<void> write_file(const std::string& name, std::string_view bytes) const;

  const JobInput* input_;
  const TaskOptions* tasks_;
  const HadoopOptions* options_;
  JobProgress* progress_;
  Client client_;
  LocalFolder local_;
  std::string remote_;
  bool has_remote_ = false;
  std::vector<HadoopInput> inputs_;
  bool by_lines_ = false;
  JobFacts facts_;
  JobClock clock_;
  std::unique_ptr<RejectFile> rejects_;
};

}  // namespace bloomery::hadoop
