#include "cli/study/study.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "cli/output/numbers.h"
#include "cli/output/writer.h"
#include "cli/sha256.h"
#include "cli/study/run_line.h"

namespace bloomery::cli {
namespace {

namespace fs = std::filesystem;

// Of one run, before anything was measured: threads by what a core reads, others by what it takes
// to start their processes.
constexpr double kBytesPerSecond = 30e6;
constexpr double kSecondsOfThreads = 0.1;
constexpr double kSecondsOfCluster = 60;

std::string own_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

double input_bytes(const StudyPlan& plan) {
  double bytes = 0;
  for (const std::string& input : plan.inputs) {
    std::error_code error;
    const auto size = fs::file_size(input, error);
    if (!error) bytes += static_cast<double>(size);
  }
  return bytes;
}

// A plan may have begun without verifying, so rows without counts are not enough for one that does.
bool has_groups(const std::vector<Json>& lines, const std::string& plan, const std::string& spec,
                bool verified) {
  return std::ranges::any_of(lines, [&](const Json& line) {
    return line.at("plan") == plan && !line.at("groups").is_null() &&
           (!verified || !line.at("verify_seconds").is_null()) &&
           spec_of(line.at("settings")) == spec;
  });
}

// What fits into a line of the terminal, or a wrapped rest would stay there.
std::string within_terminal(std::string text) {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 &&
      text.size() >= size.ws_col) {
    text.resize(size.ws_col - 1U);
  }
  return text;
}

// What a child said last, without the end of its last line.
std::string without_end(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

void put_error(const std::string& text) {
  Writer error(STDERR_FILENO, "standard error");
  error.put(text);
  error.flush();
}

}  // namespace

Study::Study(const StudyPlan& plan, RunFile& file, std::string scratch, const Console& console,
             const std::atomic<bool>& is_cancelled, std::string digest)
    : plan_(&plan),
      file_(&file),
      scratch_(std::move(scratch)),
      console_(&console),
      is_cancelled_(&is_cancelled),
      digest_(std::move(digest)) {}

double Study::expected_seconds(const std::vector<StudyRun>& runs) const {
  struct Mean {
    double sum = 0;
    double count = 0;
  };
  std::map<std::string, Mean> engines;
  Mean verifies;
  std::set<std::string> verified;
  for (const Json& line : file_->lines()) {
    if (!is_of_plan(line, *plan_, digest_)) continue;
    Mean& mean = engines[line.at("settings").at("engine").get<std::string>()];
    mean.sum += line.at("wall_seconds").get<double>();
    ++mean.count;
    if (line.at("verify_seconds").is_null()) continue;
    verifies.sum += line.at("verify_seconds").get<double>();
    ++verifies.count;
    verified.insert(spec_of(line.at("settings")));
  }
  const double read = input_bytes(*plan_) / kBytesPerSecond + kSecondsOfThreads;
  double seconds = 0;
  std::set<std::string> warm;
  for (const StudyRun& run : runs) {
    const RunSettings& settings = run.planned->settings;
    const Mean& mean = engines[settings.engine];
    const double once = mean.count > 0                 ? mean.sum / mean.count
                        : settings.engine == "threads" ? read
                                                       : kSecondsOfCluster;
    seconds += once;
    if (!is_warm_ && warm.insert(settings.engine).second) {
      seconds += once * static_cast<double>(plan_->warmup);
    }
    if (plan_->verify && verified.insert(spec_of(to_json(settings))).second) {
      seconds += verifies.count > 0 ? verifies.sum / verifies.count : read;
    }
  }
  return seconds;
}

std::string Study::bank_path() const {
  // A process that outlived a killed study must not write into this one's bank.
  return fmt::format("{}/{}.bank", scratch_, ::getpid());
}

Result<hadoop::ChildResult> Study::run_command(const std::string& command, Words words) const {
  words.insert(words.begin(), {own_path(), command});
  hadoop::ChildOptions options;
  options.is_cancelled = is_cancelled_;
  auto child = hadoop::run_child(words, options);
  if (child && child->was_cancelled) return make_error(ErrorCode::kIo, "interrupted");
  return child;
}

Result<void> Study::warm_up(const std::vector<StudyRun>& runs) {
  std::map<std::string, std::uint64_t> done;
  for (const StudyRun& run : runs) {
    const RunSettings& settings = run.planned->settings;
    for (auto& count = done[settings.engine]; count < plan_->warmup; ++count) {
      const auto child = run_command("build", build_words(*plan_, settings, bank_path()));
      if (!child) return child.error();
      if (!child->is_good()) {
        return make_error(ErrorCode::kInvalidArgument, "{}: the first run failed: {}\n{}",
                          run.planned->where, to_text(settings), without_end(child->errors));
      }
    }
  }
  is_warm_ = true;
  return {};
}

Result<Json> Study::verify(const RunSettings& settings) {
  const auto child = run_command("verify", verify_words(*plan_, settings, bank_path()));
  if (!child) return child.error();
  Json verified = Json::parse(child->output, nullptr, false);
  // Status 1 says that a group failed, which is a result like any other.
  if (child->status > 1 || !verified.is_object()) {
    return make_error(ErrorCode::kIo, "{}: verify failed with status {}:\n{}", to_text(settings),
                      child->status, without_end(child->errors));
  }
  verified["study_seconds"] = child->wall_seconds;
  return verified;
}

Result<Json> Study::measure(const StudyRun& run) {
  const RunSettings& settings = run.planned->settings;
  Json line = {
      {"schema", kStudySchema},        {"plan", digest_},
      {"title", plan_->title},         {"started", now_text()},
      {"settings", to_json(settings)}, {"engine_flags", engine_words(*plan_, settings.engine)},
      {"repetition", run.repetition},  {"seed", plan_->seed}};
  const auto child = run_command("build", build_words(*plan_, settings, bank_path()));
  if (!child) return child.error();
  const Json built = Json::parse(child->output, nullptr, false);
  if (!child->is_good() || !built.is_object()) {
    return make_error(ErrorCode::kIo, "{}: build failed with status {}:\n{}", to_text(settings),
                      child->status, without_end(child->errors));
  }
  add_build(line, built);
  line["wall_seconds"] = child->wall_seconds;
  line["cpu_seconds"] = child->cpu_seconds;
  line["peak_resident"] = child->peak_resident;
  const auto digest = sha256_of_file(bank_path());
  if (!digest) return digest.error();
  line["bank_sha256"] = *digest;
  Json verified = nullptr;
  const bool is_first =
      !has_groups(file_->lines(), digest_, spec_of(line["settings"]), plan_->verify);
  if (is_first && plan_->verify) {
    auto counted = verify(settings);
    if (!counted) return counted.error();
    verified = *std::move(counted);
  }
  line["verify_seconds"] = verified.is_null() ? Json(nullptr) : verified["study_seconds"];
  line["groups"] = nullptr;
  if (is_first) {
    auto groups = groups_json(built, verified);
    if (!groups) return groups.error();
    line["groups"] = *std::move(groups);
  }
  line["machine"] = machine_json();
  line["versions"] = versions_json();
  return line;
}

void Study::show(const std::vector<StudyRun>& runs, std::size_t done) const {
  const bool is_bar = console_->shows_progress();
  if (!is_bar && !console_->is_verbose()) return;
  const std::vector<StudyRun> rest(runs.begin() + static_cast<std::ptrdiff_t>(done), runs.end());
  const std::string text =
      fmt::format("run {} of {}  {:.0f} %  ETA {}  {}", done + 1, runs.size(),
                  100 * static_cast<double>(done) / static_cast<double>(runs.size()),
                  duration(expected_seconds(rest)), to_text(runs[done].planned->settings));
  if (is_bar) {
    put_error("\r\x1b[K" + within_terminal(text));
  } else {
    console_->note(text);
  }
}

Result<void> Study::run(const std::vector<StudyRun>& runs,
                        const std::function<void(const Json&)>& on_line) {
  if (runs.empty()) return {};
  const auto run_all = [&]() -> Result<void> {
    if (console_->shows_progress()) put_error("\r\x1b[Kwarming up");
    if (auto warm = warm_up(runs); !warm) return warm;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      show(runs, i);
      const auto line = measure(runs[i]);
      if (!line) return line.error();
      if (auto written = file_->append(*line); !written) return written;
      on_line(*line);
    }
    return {};
  };
  auto outcome = run_all();
  if (console_->shows_progress()) put_error("\r\x1b[K");
  return outcome;
}

}  // namespace bloomery::cli
