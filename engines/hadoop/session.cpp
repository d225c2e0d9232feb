#include "engines/hadoop/session.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <tuple>

#include "base/ascii.h"
#include "base/error.h"
#include "base/file.h"
#include "bloomery/version.h"
#include "engines/check_tally.h"
#include "engines/hadoop/bytes.h"
#include "engines/hadoop/result_files.h"
#include "engines/hadoop/route.h"

namespace bloomery::hadoop {
namespace {

namespace fs = std::filesystem;

std::uint64_t random_number() {
  std::uint64_t number = 0;
  // It fails only before the machine has ever had 16 random bytes; then the process must do.
  const auto got = uninterrupted([&] { return ::getrandom(&number, sizeof number, 0); });
  if (got < 0) number = static_cast<std::uint64_t>(::getpid());
  return number;
}

Error failure_from(std::string_view payload) {
  ByteReader in(payload);
  const std::uint64_t code = in.number();
  const std::string_view message = in.text();
  return Error{static_cast<ErrorCode>(
                   std::min<std::uint64_t>(code, static_cast<std::uint64_t>(ErrorCode::kResource))),
               std::string(message)};
}

}  // namespace

Result<LocalFolder> LocalFolder::create(const std::string& parent) {
  std::error_code error;
  std::string path = fs::absolute(parent, error).string() + "/bloomery-XXXXXX";
  const auto is_plain = [](char c) {
    return is_ascii_letter_or_digit(c) ||
           std::string_view("._/~+-").find(c) != std::string_view::npos;
  };
  if (error || !std::ranges::all_of(path, is_plain)) {
    return make_error(ErrorCode::kUnsupported,
                      "--tmp {}: Hadoop takes some of its characters for something else; name a "
                      "folder of letters, digits and . _ ~ + -",
                      printable_path(parent));
  }
  if (::mkdtemp(path.data()) == nullptr) {
    return errno_error(errno, "--tmp " + printable_path(parent));
  }
  return LocalFolder(std::move(path));
}

LocalFolder::~LocalFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Session::Session(const JobInput& input, const TaskOptions& tasks, const HadoopOptions& options,
                 JobProgress* progress, LocalFolder local, std::string remote)
    : input_(&input),
      tasks_(&tasks),
      options_(&options),
      progress_(progress),
      client_(options.commands, progress == nullptr ? nullptr : &progress->is_cancelled),
      local_(std::move(local)),
      remote_(std::move(remote)) {}

Session::~Session() {
  // What cannot be removed now stays: there is nobody left to tell.
  if (has_remote_) (void)client_.remove_tree(remote_);
}

Result<std::unique_ptr<Session>> Session::open(const JobInput& input, const TaskOptions& tasks,
                                               const HadoopOptions& options,
                                               JobProgress* progress) {
  auto local = LocalFolder::create(tasks.tmp);
  if (!local) return local.error();
  std::string remote = fmt::format("{}/bloomery-{:016x}", options.staging, random_number());
  std::unique_ptr<Session> session(
      new Session(input, tasks, options, progress, *std::move(local), std::move(remote)));
  session->facts_.engine = "hadoop";
  session->facts_.cluster = options.commands.found;
  if (auto fine = session->check_tasks(); !fine) return fine.error();
  if (auto looked = session->look_at_inputs(); !looked) return looked.error();
  if (input.rejects.rejects) {
    std::vector<std::string> names;
    for (const HadoopInput& one : session->inputs_) names.push_back(one.file.name);
    auto file = RejectFile::create(*input.rejects.rejects, input.rejects.overwrite, names);
    if (!file) return file.error();
    session->rejects_ = *std::move(file);
  }
  if (auto put = session->put_inputs(); !put) return put.error();
  return session;
}

Result<void> Session::check_tasks() const {
  if (input_->layout.multiline) {
    return make_error(ErrorCode::kUnsupported,
                      "--multiline: Hadoop cuts files at line ends; use --engine threads");
  }
  if (options_->reducers && (*options_->reducers == 0 || *options_->reducers > kMaxReducers)) {
    return make_error(ErrorCode::kInvalidArgument, "--reducers must be from 1 to {}", kMaxReducers);
  }
  std::error_code ignored;
  if (!fs::exists(options_->worker, ignored)) {
    return make_error(ErrorCode::kNotFound,
                      "{}: the worker that Hadoop's nodes run is not there; it is installed beside "
                      "bloomery",
                      printable_path(options_->worker));
  }
  return {};
}

Result<void> Session::look_at_inputs() {
  const bool wants_lines = tasks_->lines_per_task.has_value();
  auto inputs = open_inputs(client_, *input_, wants_lines, facts_);
  if (!inputs) return inputs.error();
  inputs_ = *std::move(inputs);
  const auto is_plain = [](const HadoopInput& input) { return input.file.is_plain; };
  const bool all_plain = std::ranges::all_of(inputs_, is_plain);
  if (wants_lines && !all_plain && std::ranges::any_of(inputs_, is_plain)) {
    return make_error(ErrorCode::kUnsupported,
                      "--lines-per-task: a compressed file cannot be cut, so Hadoop cannot read "
                      "plain and compressed ones in one such job; leave it out");
  }
  by_lines_ = wants_lines && all_plain;
  // Hadoop would start nothing, or fail without a word.
  const auto is_empty = [](const HadoopInput& input) { return input.file.size == 0; };
  if (std::ranges::all_of(inputs_, is_empty)) return check_tally(Tally(), input_->rejects);
  for (HadoopInput& input : inputs_) {
    if (by_lines_ && input.has_lone_cr) {
      return make_error(ErrorCode::kUnsupported,
                        "{}: --lines-per-task: has a CR without an LF, where Hadoop's reader of "
                        "N lines ends a line and bloomery does not; use --tasks N",
                        printable_path(input.file.name));
    }
    input.file.has_true_offsets = by_lines_;
  }
  return {};
}

// With names of our own: theirs may mean something to Hadoop.
Result<void> Session::put_inputs() {
  const fs::path folder = fs::path(local_.path()) / "put";
  bool has_local = false;
  std::error_code error;
  for (std::size_t i = 0; i < inputs_.size() && !error; ++i) {
    HadoopInput& input = inputs_[i];
    if (input.local.empty()) continue;
    fs::create_directories(folder / "in", error);
    const std::string name = fmt::format("{:06}{}", i, input.file.is_plain ? "" : ".gz");
    if (!error) fs::create_symlink(fs::absolute(input.local), folder / "in" / name, error);
    input.remote = remote_ + "/in/" + name;
    has_local = true;
  }
  if (error) return make_error(ErrorCode::kIo, "{}: {}", folder.string(), error.message());
  if (!has_local) return {};
  if (progress_ != nullptr) progress_->step = "putting files on the cluster";
  has_remote_ = true;
  auto put = client_.put(folder.string(), remote_);
  if (put || is_cancelled()) return put;
  // The parent may be missing on a new cluster; a half of it must not be there for the second try.
  (void)client_.remove_tree(remote_);
  if (auto made = client_.make_folder(options_->staging); !made) return made;
  return client_.put(folder.string(), remote_);
}

WorkerJob Session::worker_job(JobKind kind) const {
  WorkerJob job;
  job.kind = kind;
  job.id = random_number();
  job.version = BLOOMERY_VERSION;
  job.recipe = input_->recipe;
  job.max_line = input_->max_line;
  job.max_groups = input_->max_groups;
  job.wants_rejects = input_->rejects.rejects.has_value();
  job.has_offsets = by_lines_;
  job.has_secret = options_->secret.has_value();
  for (const HadoopInput& input : inputs_) {
    job.files.push_back({input.file.name, input.remote, input.file.shape, input.file.first});
  }
  return job;
}

// How Hadoop is to cut the inputs.
void Session::cut(StreamingJob& job) {
  if (by_lines_) {
    job.lines_per_map = tasks_->lines_per_task;
    return;
  }
  if (!tasks_->tasks) return;
  job.maps = *tasks_->tasks;
  if (inputs_.size() != 1 || !inputs_.front().file.is_plain) return;
  const std::uint64_t split = split_bytes_for(inputs_.front().file.size, *tasks_->tasks);
  if (split > 0) job.split_bytes = split;
}

Result<void> Session::write_file(const std::string& name, std::string_view bytes) const {
  const std::string path = local_.path() + "/" + name;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
  File file(uninterrupted([&] { return ::open(path.c_str(), kFlags, 0600); }));
  if (!file.is_open()) return errno_error(errno, printable_path(path));
  return write_at(file, 0, std::as_bytes(std::span(bytes)), path);
}

// Puts what the tasks need beside the worker, and names it for them.
Result<StreamingJob> Session::prepare(const WorkerJob& job, const JobNeeds& needs) {
  StreamingJob streaming;
  streaming.what = needs.what;
  const auto ship = [&](const char* name) {
    streaming.files.push_back(fmt::format("file://{}/{}#{}", local_.path(), name, name));
  };
  if (auto written = write_file(kJobFile, to_json(job)); !written) return written.error();
  ship(kJobFile);
  if (options_->secret) {
    const auto* bytes = reinterpret_cast<const char*>(options_->secret->data());
    auto written = write_file(kSecretFile, {bytes, options_->secret->size()});
    if (!written) return written.error();
    ship(kSecretFile);
  }
  std::error_code error;
  const fs::path worker = fs::path(local_.path()) / kWorkerFile;
  if (!fs::exists(worker)) fs::create_symlink(fs::absolute(options_->worker), worker, error);
  if (error) return make_error(ErrorCode::kIo, "{}: {}", worker.string(), error.message());
  ship(kWorkerFile);
  streaming.files.insert(streaming.files.end(), needs.files.begin(), needs.files.end());
  for (const HadoopInput& input : inputs_) streaming.inputs.push_back(input.remote);
  streaming.output = fmt::format("{}/{}-{}", remote_, needs.what, facts_.jobs.size());
  streaming.reduces = needs.reducers;
  streaming.map_memory = needs.map_memory;
  streaming.reduce_memory = needs.reduce_memory;
  streaming.settings = options_->settings;
  cut(streaming);
  return streaming;
}

Result<ClusterJob> Session::run_with_progress(const StreamingJob& streaming, JobKind kind) {
  has_remote_ = true;
  if (progress_ == nullptr) {
    return run_streaming(client_, streaming, nullptr, {});
  }
  std::uint64_t total = 0;
  for (const HadoopInput& input : inputs_) total += input.file.size;
  progress_->total_bytes = total;
  progress_->bytes = 0;
  progress_->step = kind == JobKind::kPlan    ? "planning"
                    : kind == JobKind::kBuild ? "building"
                                              : "verifying";
  return run_streaming(client_, streaming, &progress_->is_cancelled, [&](double share) {
    progress_->bytes = static_cast<std::uint64_t>(share * static_cast<double>(total));
  });
}

// The reports among the letters of a job; all others are for `use`. The first failure that a task
// wrote is that of the job.
Result<std::vector<TaskReport>> Session::reports_of(
    const JobOutcome& outcome, const std::function<Result<void>(const Letter&)>& use) {
  std::vector<TaskReport> reports;
  std::optional<Error> failure;
  const auto take = [&](const Letter& letter) -> Result<void> {
    if (letter.subject == Subject::kRejected) return {};
    const bool is_failure = letter.subject == Subject::kFailure;
    if (!is_failure && letter.subject != Subject::kReport) return use(letter);
    const std::string_view payload =
        letter.payload.substr(std::min(letter.payload.size(), sizeof(std::uint32_t)));
    if (is_failure) {
      if (!failure) failure = failure_from(payload);
      return {};
    }
    auto report = decode_report(payload);
    if (!report) return report.error();
    reports.push_back(*std::move(report));
    return {};
  };
  if (const auto read = each_letter_of(outcome, take); !read) return read.error();
  if (failure) return *failure;
  return reports;
}

// Hadoop cuts, and not always as asked.
void Session::note_tasks(std::size_t tasks) {
  facts_.tasks = tasks;
  if (tasks_->tasks && *tasks_->tasks != facts_.tasks) {
    facts_.tasks_note =
        "a compressed file is one task, of several files each has its share, and a file of a few "
        "bytes cannot be cut at will";
  }
  if (tasks_->lines_per_task && !by_lines_) facts_.tasks_note = "a compressed file is one task";
}

Result<JobOutcome> Session::run(const WorkerJob& job, const JobNeeds& needs,
                                const std::function<Result<void>(const Letter&)>& use) {
  const auto streaming = prepare(job, needs);
  if (!streaming) return streaming.error();
  auto facts = run_with_progress(*streaming, job.kind);
  if (!facts) return facts.error();

  JobOutcome outcome{fmt::format("{}/{}-{}", local_.path(), needs.what, facts_.jobs.size()),
                     job.id,
                     needs.reducers,
                     {}};
  if (auto got = client_.get(streaming->output, outcome.folder); !got) return got.error();
  auto reports = reports_of(outcome, use);
  if (!reports) return reports.error();
  facts->maps = reports->size();
  note_tasks(reports->size());
  std::vector<ReportedFile> files;
  files.reserve(inputs_.size());
  for (const HadoopInput& input : inputs_) files.push_back(input.file);
  auto merged = merge_reports(*std::move(reports), files);
  if (!merged) return merged.error();
  outcome.reports = *std::move(merged);
  facts_.jobs.push_back(*std::move(facts));
  return outcome;
}

Result<void> Session::each_letter_of(const JobOutcome& outcome,
                                     const std::function<Result<void>(const Letter&)>& use) {
  return each_letter(outcome.folder, outcome.id, outcome.reducers, use);
}

Result<void> Session::judge(const JobOutcome& outcome) {
  facts_.tally = outcome.reports.tally;
  if (auto written = write_rejects(outcome); !written) return written;
  const RejectPolicy& policy = input_->rejects;
  if (policy.is_strict && facts_.tally.total().rejected_total() > 0) return first_rejected();
  std::vector<std::string> names;
  names.reserve(inputs_.size());
  for (const HadoopInput& input : inputs_) names.push_back(input.file.name);
  return check_tally(facts_.tally, policy, names);
}

Result<void> Session::write_rejects(const JobOutcome& outcome) {
  const auto file = std::move(rejects_);
  if (file == nullptr) return {};
  auto read = each_letter_of(outcome, [&](const Letter& letter) -> Result<void> {
    if (letter.subject != Subject::kRejected) return {};
    if (letter.payload.size() < sizeof(std::uint32_t)) return {};
    const auto task = load_be<std::uint32_t>(letter.payload.data());
    auto record = decode_rejected(letter.payload.substr(sizeof task));
    if (!record) return record.error();
    if (task >= outcome.reports.by_task.size() || record->file >= inputs_.size()) return {};
    const Correction& correction = outcome.reports.by_task[task];
    record->offset += correction.add;
    const bool is_header = record->category == Reject::kRepeatedHeader &&
                           record->offset == inputs_[record->file].file.shape.header_offset;
    if (is_header) return {};
    const auto& truncated = correction.truncated;
    const bool is_truncated = truncated && truncated->offset == record->offset;
    file->write(is_truncated ? *truncated : *record);
    return {};
  });
  if (!read) return read;
  return file->close();
}

// What --strict says, as the threads engine says it.
Error Session::first_rejected() const {
  const RejectedRecord* first = nullptr;
  for (std::size_t i = 0; i < kRejectKinds; ++i) {
    for (const RejectedRecord& record : facts_.tally.samples(static_cast<Reject>(i))) {
      const bool is_earlier = first == nullptr || std::tie(record.file, record.offset) <
                                                      std::tie(first->file, first->offset);
      if (is_earlier) first = &record;
    }
  }
  return make_error(ErrorCode::kInvalidArgument, "{}: record at byte {} rejected: {}: {}",
                    escaped(inputs_[first->file].file.name), first->offset, first->reason,
                    first->text);
}

}  // namespace bloomery::hadoop
