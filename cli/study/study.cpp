#include "cli/study/study.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

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

bool has_groups(const std::vector<Json>& lines, const std::string& plan, const std::string& spec) {
  return std::ranges::any_of(lines, [&](const Json& line) {
    return line.value("schema", "") == kStudySchema && line.at("plan") == plan &&
           !line.at("groups").is_null() && spec_of(line.at("settings")) == spec;
  });
}

void put_error(const std::string& text) {
  Writer error(STDERR_FILENO, "standard error");
  error.put(text);
  error.flush();
}

}  // namespace

std::string plan_digest(const StudyPlan& plan) {
  Json shared = Json::array();
  for (const std::string& input : plan.inputs) {
    std::error_code error;
    const auto size = fs::file_size(input, error);
    Json entry = Json::object();
    put_bytes(entry, "name", input);
    entry["bytes"] = error ? Json(nullptr) : Json(size);
    shared.push_back(std::move(entry));
  }
  return sha256_hex(to_line({{"inputs", std::move(shared)}, {"words", shared_words(plan)}}, true));
}

std::vector<StudyRun> pending_runs(const StudyPlan& plan, const std::vector<Json>& lines) {
  const std::string digest = plan_digest(plan);
  std::set<std::pair<std::string, std::uint64_t>> recorded;
  for (const Json& line : lines) {
    if (line.value("schema", "") != kStudySchema || line.at("plan") != digest) continue;
    recorded.emplace(line.at("settings").dump(), line.at("repetition").get<std::uint64_t>());
  }
  std::vector<StudyRun> runs;
  for (const PlannedRun& planned : plan.runs) {
    for (std::uint64_t i = 1; i <= planned.repetitions; ++i) runs.push_back({&planned, i});
  }
  // Fisher and Yates by hand: what std::shuffle does differs between libraries.
  std::mt19937_64 random(plan.seed);
  for (std::size_t i = runs.size(); i > 1; --i) std::swap(runs[i - 1], runs[random() % i]);
  std::erase_if(runs, [&](const StudyRun& run) {
    return recorded.contains({to_json(run.planned->settings).dump(), run.repetition});
  });
  return runs;
}

std::vector<std::string> disagreements(const std::vector<Json>& lines) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::uint64_t>> banks;
  for (const Json& line : lines) {
    if (line.value("schema", "") != kStudySchema) continue;
    ++banks[{line.at("plan"), spec_of(line.at("settings"))}][line.at("bank_sha256")];
  }
  std::vector<std::string> found;
  for (const auto& [spec, digests] : banks) {
    if (digests.size() < 2) continue;
    std::string text = fmt::format("{}: {} different banks:", spec.second, digests.size());
    for (const auto& [digest, runs] : digests) {
      text += fmt::format(" {:.12}… in {}", digest, counted(runs, "run"));
    }
    found.push_back(std::move(text));
  }
  return found;
}

Study::Study(const StudyPlan& plan, RunFile& file, std::string scratch, const Console& console,
             const std::atomic<bool>& is_cancelled)
    : plan_(&plan),
      file_(&file),
      scratch_(std::move(scratch)),
      console_(&console),
      is_cancelled_(&is_cancelled),
      digest_(plan_digest(plan)) {}

double Study::expected_seconds(const std::vector<StudyRun>& runs) const {
  struct Mean {
    double sum = 0;
    double count = 0;
  };
  std::map<std::string, Mean> engines;
  Mean verifies;
  std::set<std::string> verified;
  for (const Json& line : file_->lines()) {
    if (line.value("schema", "") != kStudySchema || line.at("plan") != digest_) continue;
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
  for (const StudyRun& run : runs) {
    const RunSettings& settings = run.planned->settings;
    const Mean& mean = engines[settings.engine];
    seconds += mean.count > 0                 ? mean.sum / mean.count
               : settings.engine == "threads" ? read
                                              : kSecondsOfCluster;
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
        return make_error(ErrorCode::kInvalidArgument, "{}: the first run failed:\n{}",
                          run.planned->where, child->errors);
      }
    }
  }
  return {};
}

Result<Json> Study::verify(const RunSettings& settings) {
  const auto child = run_command("verify", verify_words(*plan_, settings, bank_path()));
  if (!child) return child.error();
  Json verified = Json::parse(child->output, nullptr, false);
  // Status 1 says that a group failed, which is a result like any other.
  if (child->status > 1 || !verified.is_object()) {
    return make_error(ErrorCode::kIo, "{}: verify failed with status {}:\n{}", to_text(settings),
                      child->status, child->errors);
  }
  verified["study_seconds"] = child->wall_seconds;
  return verified;
}

Result<Json> Study::measure(const StudyRun& run) {
  const RunSettings& settings = run.planned->settings;
  Json line = {{"schema", kStudySchema},
               {"plan", digest_},
               {"title", plan_->title},
               {"started", now_text()},
               {"settings", to_json(settings)},
               {"repetition", run.repetition},
               {"seed", plan_->seed}};
  const auto child = run_command("build", build_words(*plan_, settings, bank_path()));
  if (!child) return child.error();
  const Json built = Json::parse(child->output, nullptr, false);
  if (!child->is_good() || !built.is_object()) {
    return make_error(ErrorCode::kIo, "{}: build failed with status {}:\n{}", to_text(settings),
                      child->status, child->errors);
  }
  add_build(line, built);
  line["wall_seconds"] = child->wall_seconds;
  line["cpu_seconds"] = child->cpu_seconds;
  line["peak_resident"] = child->peak_resident;
  const auto digest = sha256_of_file(bank_path());
  if (!digest) return digest.error();
  line["bank_sha256"] = *digest;
  Json verified = nullptr;
  const bool is_first = !has_groups(file_->lines(), digest_, spec_of(line["settings"]));
  if (is_first && plan_->verify) {
    auto counted = verify(settings);
    if (!counted) return counted.error();
    verified = *std::move(counted);
  }
  line["verify_seconds"] = verified.is_null() ? Json(nullptr) : verified["study_seconds"];
  line["groups"] = is_first ? groups_json(built, verified) : Json(nullptr);
  line["machine"] = machine_json();
  line["versions"] = versions_json();
  return line;
}

void Study::show(const std::vector<StudyRun>& runs, std::size_t done) const {
  const bool is_bar = console_->shows_progress();
  if (!is_bar && !console_->is_verbose()) return;
  const std::vector<StudyRun> rest(runs.begin() + static_cast<std::ptrdiff_t>(done), runs.end());
  const std::string text =
      fmt::format("run {} of {}  {:.0f} %  {}  ETA {}", done + 1, runs.size(),
                  100 * static_cast<double>(done) / static_cast<double>(runs.size()),
                  to_text(runs[done].planned->settings), duration(expected_seconds(rest)));
  if (is_bar) {
    put_error("\r\x1b[K" + text);
  } else {
    console_->note(text);
  }
}

Result<void> Study::run(const std::vector<StudyRun>& runs,
                        const std::function<void(const Json&)>& on_line) {
  if (runs.empty()) return {};
  const auto run_all = [&]() -> Result<void> {
    if (const auto warm = warm_up(runs); !warm) return warm;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      show(runs, i);
      const auto line = measure(runs[i]);
      if (!line) return line.error();
      if (const auto written = file_->append(*line); !written) return written;
      on_line(*line);
    }
    return {};
  };
  const auto outcome = run_all();
  if (console_->shows_progress()) put_error("\r\x1b[K");
  return outcome;
}

}  // namespace bloomery::cli
