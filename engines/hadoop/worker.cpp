#include "engines/hadoop/worker.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "bank/container.h"
#include "base/error.h"
#include "base/file.h"
#include "bloomery/bank.h"
#include "bloomery/version.h"
#include "engines/hadoop/bytes.h"
#include "engines/hadoop/keyed_lines.h"
#include "engines/hadoop/map_work.h"
#include "engines/hadoop/reduce_work.h"
#include "engines/hadoop/still_alive.h"
#include "engines/hadoop/task_report.h"
#include "engines/hadoop/trailers.h"
#include "engines/hadoop/worker_job.h"

namespace bloomery::hadoop {
namespace {

constexpr std::size_t kRejectBytes = std::size_t{64} << 10U;

Result<std::string> read_file(const std::string& path) {
  const auto opened = open_to_read(path);
  if (!opened) return opened.error();
  std::string text(opened->size, '\0');
  const auto read = read_at(opened->file, 0, std::as_writable_bytes(std::span(text)), path);
  if (!read) return read.error();
  return text;
}

// The files that came with the job.
struct JobFiles {
  WorkerJob job;
  std::optional<SecretKey> secret;
  std::optional<Bank> bank;
  std::optional<BankHashers> hashers;
};

Result<std::optional<SecretKey>> read_secret(const std::string& path) {
  if (!std::filesystem::exists(path)) return std::optional<SecretKey>();
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  SecretKey secret{};
  if (bytes->size() != secret.size()) {
    return make_error(ErrorCode::kDamaged, "{}: not a secret key", kSecretFile);
  }
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<std::byte>((*bytes)[i]);
  return std::optional(secret);
}

Result<JobFiles> open_files(const std::string& folder) {
  JobFiles files;
  auto secret = read_secret(folder + "/" + kSecretFile);
  if (!secret) return secret.error();
  files.secret = *secret;
  const auto text = read_file(folder + "/" + kJobFile);
  if (!text) return text.error();
  auto job = job_from_json(*text, files.secret);
  if (!job) return job.error();
  files.job = *std::move(job);
  if (files.job.version != BLOOMERY_VERSION) {
    return make_error(ErrorCode::kMismatch, "the worker is of version {}, its driver of {}",
                      BLOOMERY_VERSION, escaped(files.job.version));
  }
  if (files.job.kind != JobKind::kVerify) return files;
  OpenOptions options;
  options.secret = files.secret;
  options.threads = 1;
  auto bank = open_bank(folder + "/" + kBankFile, options);
  if (!bank) return bank.error();
  files.bank = std::move(bank->bank);
  files.hashers.emplace(*files.bank);
  return files;
}

Result<Hasher> plan_hasher(const JobFiles& files) {
  if (files.job.hash != HashId::kSip) return Hasher::create(files.job.hash, files.job.seed);
  if (files.secret) return Hasher::with_secret(*files.secret);
  return make_error(ErrorCode::kNotFound, "{}: did not come with the job", kSecretFile);
}

// Counts what goes through.
class CountedSource : public ByteSource {
 public:
  CountedSource(std::unique_ptr<ByteSource> source, std::uint64_t& count)
      : source_(std::move(source)), count_(&count) {}
  Result<std::size_t> read(std::span<char> to) override {
    auto got = source_->read(to);
    if (got) *count_ += *got;
    return got;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::uint64_t* count_;
};

// One map task: reads its lines through a KeyReader.
class MapTask {
 public:
  MapTask(const TaskPlace& place, const JobFiles& files, TaskOutput& output)
      : place_(&place), files_(&files), job_(&files.job), output_(&output) {}

  Result<void> run(std::unique_ptr<ByteSource> input) {
    if (auto found = find_file(); !found) return found;
    auto work = make_work();
    if (!work) return work.error();
    work_ = *std::move(work);
    KeyReader reader(job_->recipe, options(),
                     [&](const KeyBatch& batch) { return work_->take(batch, reader.groups()); });
    reader.start_file(report_.file, file_->name, shape_);
    if (auto read = read_lines(std::move(input), reader); !read) return read;
    if (auto done = work_->finish(); !done) return done;
    report_.task = place_->number;
    report_.start = place_->input_start;
    report_.tally = reader.tally();
    look_at_last();
    std::string detail;
    append_be(detail, report_.file);
    append_be(detail, report_.start);
    return output_->put(Subject::kReport, detail, 0, encode(report_));
  }

 private:
  // The one whose address is likest to what Hadoop says.
  Result<void> find_file() {
    std::size_t best = 0;
    for (std::uint32_t i = 0; i < job_->files.size(); ++i) {
      const std::size_t likeness = address_likeness(job_->files[i].address, place_->input_file);
      if (likeness <= best) continue;
      best = likeness;
      report_.file = i;
      file_ = &job_->files[i];
    }
    if (best == 0) {
      return make_error(ErrorCode::kMismatch, "{}: Hadoop gave a file that is none of the job's",
                        escaped(place_->input_file, 4096));
    }
    shape_ = file_->shape;
    // Without true offsets no record but one at the start can be known for the header.
    if (!job_->has_offsets && place_->input_start > 0) shape_.header_offset = kNoHeader;
    return {};
  }

  Result<std::unique_ptr<TaskWork>> make_work() {
    if (job_->kind == JobKind::kVerify) {
      return verify_work(*job_, *files_->bank, *files_->hashers, *output_);
    }
    if (job_->kind == JobKind::kBuild) return build_work(*job_, *output_);
    const auto hasher = plan_hasher(*files_);
    if (!hasher) return hasher.error();
    return plan_work(*job_, *hasher, *output_);
  }

  ReadOptions options() {
    ReadOptions options;
    options.max_line = job_->max_line;
    options.max_groups = job_->max_groups;
    if (!job_->wants_rejects) return options;
    options.on_reject = [this](const RejectedRecord& record) {
      std::string detail;
      append_be(detail, record.file);
      append_be(detail, record.offset);
      const auto sent = output_->put(Subject::kRejected, detail,
                                     output_->task() % output_->receivers(), encode(record));
      if (!sent && !reject_failure_) reject_failure_ = sent.error();
    };
    options.reject_bytes = kRejectBytes;
    return options;
  }

  Result<void> read_lines(std::unique_ptr<ByteSource> input, KeyReader& reader) {
    report_.offset = place_->input_start == 0 ? file_->first : place_->input_start;
    if (job_->has_offsets) {
      auto lines = std::make_unique<KeyedLines>(std::move(input), file_->first);
      const auto offset = lines->start();
      if (!offset) return offset.error();
      if (*offset) report_.offset = **offset;
      input = std::move(lines);
    }
    PieceReader::Options options;
    options.max_line = job_->max_line;
    PieceReader pieces(std::make_unique<CountedSource>(std::move(input), report_.bytes), options);
    while (true) {
      const auto piece = pieces.next();
      if (!piece) return piece.error();
      if (!*piece) break;
      Piece moved = **piece;
      moved.offset += report_.offset;
      keep_last(moved);
      if (auto read = reader.read(moved); !read) return read;
      if (reject_failure_) return *reject_failure_;
    }
    return {};
  }

  // The last record of a piece may be the last of the file.
  void keep_last(const Piece& piece) {
    const std::string_view text = piece.bytes;
    const std::size_t end = text.find_last_not_of('\n');
    const std::size_t before =
        end == std::string_view::npos ? std::string_view::npos : text.rfind('\n', end);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    last_.assign(text.substr(begin, text.size() - begin));
    last_offset_ = piece.offset + begin;
    is_last_over_long_ = piece.is_over_long;
  }

  // What the last record is if the file ends without a line end: Hadoop gives it one.
  void look_at_last() {
    if (report_.tally.total().rejected_total() == 0 || is_last_over_long_ ||
        last_.find('\n') + 1 != last_.size() || last_.size() < 2) {
      return;
    }
    KeyReader reader(job_->recipe, {}, [](const KeyBatch&) { return Result<void>(); });
    reader.start_file(report_.file, file_->name, shape_);
    const auto read =
        reader.read(std::string_view(last_).substr(0, last_.size() - 1), last_offset_);
    const auto& truncated = reader.tally().samples(Reject::kTruncatedLast);
    if (read && !truncated.empty()) report_.truncated = truncated.front();
  }

  const TaskPlace* place_;
  const JobFiles* files_;
  const WorkerJob* job_;
  TaskOutput* output_;
  const WorkerFile* file_ = nullptr;
  FileShape shape_;
  std::unique_ptr<TaskWork> work_;
  TaskReport report_;
  std::optional<Error> reject_failure_;
  std::string last_;
  std::uint64_t last_offset_ = 0;
  bool is_last_over_long_ = false;
};

// A task that ends before its input does fails, whatever it says.
Result<void> drain(int descriptor) {
  std::string buffer(std::size_t{64} << 10U, '\0');
  while (true) {
    const auto got =
        uninterrupted([&] { return ::read(descriptor, buffer.data(), buffer.size()); });
    if (got < 0) return errno_error(errno, "standard input");
    if (got == 0) return {};
  }
}

std::string failure_text(const Error& error) {
  ByteWriter out;
  out.number(static_cast<std::uint64_t>(error.code)).text(error.message);
  return out.take();
}

Result<void> reduce_all(const TaskPlace& place, RecordReader& reader, ReduceWork& work,
                        TaskOutput& output, std::uint64_t job) {
  TaskLedger ledger(job);
  while (true) {
    const auto record = reader.next();
    if (!record) return record.error();
    if (!*record) break;
    const auto letter = ledger.note(**record);
    if (!letter) return letter.error();
    switch (letter->subject) {
      case Subject::kTrailer:
        break;
      case Subject::kReport:
      case Subject::kRejected:
      case Subject::kFailure: {
        // For the driver as it is, with the number of its task.
        std::string payload;
        append_be(payload, letter->task);
        payload += letter->payload;
        if (auto sent = output.put(letter->subject, letter->detail, 0, payload); !sent) return sent;
        break;
      }
      default:
        if (auto taken = work.take(*letter); !taken) return taken;
    }
  }
  if (auto settled = ledger.settle(place.maps); !settled) return settled;
  return work.finish();
}

Result<std::uint32_t> number_from(const char* name) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  std::uint32_t value = 0;
  if (text != nullptr) {
    const std::string_view all(text);
    const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), value);
    if (error == std::errc() && end == all.data() + all.size()) return value;
  }
  return make_error(ErrorCode::kInvalidArgument,
                    "{} is not in the environment; Hadoop Streaming starts a worker, not a person",
                    name);
}

Result<TaskPlace> place_from_environment(bool is_map) {
  TaskPlace place;
  const auto number = number_from("mapreduce_task_partition");
  if (!number) return number.error();
  place.number = *number;
  const auto maps = number_from("mapreduce_job_maps");
  if (!maps) return maps.error();
  place.maps = *maps;
  const auto reduces = number_from("mapreduce_job_reduces");
  if (!reduces) return reduces.error();
  place.reduces = *reduces;
  if (!is_map) return place;
  const char* file = std::getenv("mapreduce_map_input_file");    // NOLINT(concurrency-mt-unsafe)
  const char* start = std::getenv("mapreduce_map_input_start");  // NOLINT(concurrency-mt-unsafe)
  if (file == nullptr || start == nullptr) {
    return make_error(ErrorCode::kInvalidArgument, "Hadoop does not say which file this is");
  }
  place.input_file = file;
  place.input_start = std::strtoull(start, nullptr, 10);
  return place;
}

}  // namespace

Result<void> run_map(const TaskPlace& place, std::unique_ptr<ByteSource> input, RecordSink& sink) {
  const auto files = open_files(place.folder);
  if (!files) return files.error();
  TaskOutput output(sink, place.number, place.reduces, files->job.id);
  if (auto done = MapTask(place, *files, output).run(std::move(input)); !done) {
    if (done.error().code == ErrorCode::kIo) return done;
    if (auto sent = output.put(Subject::kFailure, "", 0, failure_text(done.error())); !sent) {
      return sent;
    }
  }
  return output.finish();
}

Result<void> run_reduce(const TaskPlace& place, std::unique_ptr<ByteSource> input,
                        RecordSink& sink) {
  const auto files = open_files(place.folder);
  if (!files) return files.error();
  TaskOutput output(sink, place.number, 1, files->job.id);
  std::unique_ptr<ReduceWork> work;
  switch (files->job.kind) {
    case JobKind::kPlan:
      work = plan_reduce(output);
      break;
    case JobKind::kBuild:
      work = build_reduce(files->job, output);
      break;
    case JobKind::kVerify:
      work = verify_reduce(*files->bank, output);
      break;
  }
  RecordReader reader(std::move(input));
  if (auto done = reduce_all(place, reader, *work, output, files->job.id); !done) return done;
  return output.finish();
}

int run_worker(const std::string& what) {
  const StillAlive alive;
  const bool is_map = what == "map";
  const auto failed = [](const Error& error) {
    fmt::print(stderr, "bloomery worker: {}\n", error.message);
    return 2;
  };
  const auto place = place_from_environment(is_map);
  if (!place) return failed(place.error());
  auto input = std::make_unique<FileSource>(FileDescriptor(STDIN_FILENO), "standard input",
                                            std::make_shared<std::atomic<std::uint64_t>>(0));
  RecordWriter output(STDOUT_FILENO);
  auto done = is_map ? run_map(*place, std::move(input), output)
                     : run_reduce(*place, std::move(input), output);
  if (done) done = output.flush();
  if (done) done = drain(STDIN_FILENO);
  return done ? 0 : failed(done.error());
}

}  // namespace bloomery::hadoop
