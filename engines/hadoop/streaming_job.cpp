#include "engines/hadoop/streaming_job.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <map>
#include <thread>

#include "base/error.h"
#include "engines/hadoop/worker_job.h"

namespace bloomery::hadoop {
namespace {

using Clock = std::chrono::steady_clock;

// Java's own share of a container: its heap, and what it takes beside it.
constexpr std::uint64_t kHeapMib = 512;
constexpr std::uint64_t kBesideHeapMib = 256;
constexpr std::size_t kShownLines = 12;
constexpr std::string_view kJobMark = "job_";

std::uint64_t mib(std::uint64_t bytes) {
  return (bytes + (std::uint64_t{1} << 20U) - 1) >> 20U;
}

class Options {
 public:
  void set(std::string_view name, std::string_view value) {
    words_.emplace_back("-D");
    words_.push_back(fmt::format("{}={}", name, value));
  }
  void set(std::string_view name, std::uint64_t value) { set(name, std::to_string(value)); }
  void add(std::string_view flag, std::string value) {
    words_.emplace_back(flag);
    words_.push_back(std::move(value));
  }
  [[nodiscard]] Words take() { return std::move(words_); }

 private:
  Words words_;
};

// Generic options first: Hadoop takes late ones for something else.
Words arguments_of(const StreamingJob& job) {
  Options options;
  options.set("mapreduce.job.name", "bloomery " + job.what);
  // A name that Hadoop does not know silently means text.
  options.set("stream.map.input", "text");
  for (const char* pipe : {"stream.map.output", "stream.reduce.input", "stream.reduce.output"}) {
    options.set(pipe, "rawbytes");
  }
  options.set("stream.jobconf.truncate.limit", 20000);
  options.set("mapreduce.output.fileoutputformat.compress", "false");
  options.set("mapreduce.job.reduces", job.reduces);
  options.set("yarn.resourcemanager.connect.max-wait.ms", 30000);
  options.set("yarn.resourcemanager.connect.retry-interval.ms", 2000);
  for (const auto& [part, memory] :
       {std::pair("map", job.map_memory), std::pair("reduce", job.reduce_memory)}) {
    options.set(fmt::format("mapreduce.{}.java.opts", part),
                fmt::format("-Xmx{}m -XX:+UseSerialGC", kHeapMib));
    options.set(fmt::format("mapreduce.{}.memory.mb", part),
                kHeapMib + kBesideHeapMib + mib(memory));
  }
  if (job.lines_per_map) {
    options.set("mapreduce.input.lineinputformat.linespermap", *job.lines_per_map);
    options.set("stream.map.input.ignoreKey", "false");
  } else {
    // Lines end at LF and nowhere else.
    options.set("textinputformat.record.delimiter", "\n");
    if (job.maps) options.set("mapreduce.job.maps", *job.maps);
    if (job.split_bytes) {
      options.set("mapreduce.input.fileinputformat.split.minsize", *job.split_bytes);
    }
  }
  for (const std::string& setting : job.settings) options.add("-D", setting);
  options.add("-files", fmt::format("{}", fmt::join(job.files, ",")));
  for (const std::string& input : job.inputs) options.add("-input", input);
  options.add("-output", job.output);
  if (job.lines_per_map) {
    options.add("-inputformat", "org.apache.hadoop.mapred.lib.NLineInputFormat");
  }
  options.add("-outputformat", "org.apache.hadoop.mapred.SequenceFileOutputFormat");
  options.add("-mapper", std::string(kWorkerFile) + " map");
  options.add("-reducer", std::string(kWorkerFile) + " reduce");
  return options.take();
}

std::uint64_t number_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  std::uint64_t value = 0;
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + mark.size());
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// What the client says while a job runs.
class JobLog {
 public:
  explicit JobLog(const std::function<void(double)>& on_progress) : on_progress_(&on_progress) {}

  void hear(std::string_view line) {
    // The first of them is said before the job is submitted, so that nothing runs without a name.
    for (const std::string_view mark : {"Submitting tokens for job: ", "Running job: "}) {
      const std::size_t at = line.find(mark);
      if (at == std::string_view::npos) continue;
      id_ = line.substr(at + mark.size());
      started_ = Clock::now();
    }
    if (line.find(" map ") != std::string_view::npos &&
        line.find("% reduce ") != std::string_view::npos) {
      const auto share =
          static_cast<double>(number_after(line, " map ") + number_after(line, "% reduce ")) / 200;
      if (*on_progress_) (*on_progress_)(share);
    }
    if (!id_.empty() && (line.find("completed successfully") != std::string_view::npos ||
                         line.find("failed with state") != std::string_view::npos)) {
      ended_ = Clock::now();
    }
    if (line.starts_with('\t')) hear_counter(line);
    if (line.find("Status : FAILED") != std::string_view::npos) {
      failures_.emplace_back(line.substr(std::min(line.find("attempt_"), line.size())));
    } else if (line.starts_with("Error:") || line.find("beyond the '") != std::string_view::npos ||
               line.find("failed with state") != std::string_view::npos ||
               line.find("ERROR streaming") != std::string_view::npos ||
               line.find("capability") != std::string_view::npos) {
      failures_.emplace_back(line);
    }
  }

  void hear_counter(std::string_view line) {
    const std::size_t equals = line.rfind('=');
    const std::size_t begin = line.find_first_not_of('\t');
    if (equals == std::string_view::npos || begin == std::string_view::npos) return;
    counters_[std::string(line.substr(begin, equals - begin))] = number_after(line, "=");
  }

  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] const std::vector<std::string>& failures() const noexcept { return failures_; }
  [[nodiscard]] bool has_counters() const { return counters_.contains("Map output bytes"); }

  [[nodiscard]] ClusterJob facts(const StreamingJob& job) const {
    const auto counter = [&](const char* name) {
      const auto found = counters_.find(name);
      return found == counters_.end() ? std::uint64_t{0} : found->second;
    };
    ClusterJob facts;
    facts.what = job.what;
    facts.id = id_;
    facts.reduces = job.reduces;
    facts.failed_attempts = counter("Failed map tasks") + counter("Failed reduce tasks");
    facts.map_output_bytes = counter("Map output bytes");
    facts.shuffle_bytes = counter("Reduce shuffle bytes");
    facts.wall_seconds = std::chrono::duration<double>(ended_ - started_).count();
    facts.cpu_seconds = static_cast<double>(counter("CPU time spent (ms)")) / 1000;
    facts.peak_memory = std::max(counter("Peak Map Physical memory (bytes)"),
                                 counter("Peak Reduce Physical memory (bytes)"));
    return facts;
  }

 private:
  const std::function<void(double)>* on_progress_;
  std::string id_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point ended_ = Clock::now();
  std::map<std::string, std::uint64_t, std::less<>> counters_;
  std::vector<std::string> failures_;
};

// Where the client's log is switched off, the cluster is asked.
void ask_for_counters(const Client& client, JobLog& log) {
  if (log.has_counters() || log.id().empty()) return;
  const auto answer = client.run_class({"org.apache.hadoop.mapred.JobClient", "-status", log.id()});
  if (!answer) return;
  each_line(answer->output, [&](std::string_view line) {
    if (line.starts_with('\t')) log.hear_counter(line);
  });
}

// What became of the job of a command that was interrupted.
std::string kill_job(const Client& client, const std::string& id) {
  if (id.empty()) return "nothing was written";
  // Not to be cancelled: it is what cancelling does.
  const auto done = client.run_class({"org.apache.hadoop.mapred.JobClient", "-kill", id}, false);
  if (done && done->status == 0) return id + " was killed";
  return fmt::format("{} could not be killed and may still run: mapred job -kill {}", id, id);
}

// How a container ended that was killed for its memory. Only the history says so: the client hears
// of it too late, and the container's own logs do not have it.
std::string memory_kill(const Client& client, const std::string& id) {
  const auto history = client.run_class({"org.apache.hadoop.mapred.JobClient", "-history", id});
  if (!history || history->was_cancelled) return {};
  std::string found;
  each_line(history->output, [&](std::string_view line) {
    const std::size_t begin = line.find("Container [");
    const std::size_t end = line.find(". Killing container");
    if (begin < end && line.find("beyond the '") < end) {
      found = escaped(line.substr(begin, end - begin), 1000);
    }
  });
  return found;
}

// The last line of a job's logs, as far as the site collects them, that `wanted` gives something
// for. They come some seconds after the job's end.
std::string last_logged(const Client& client, const std::string& id, const Words& which,
                        const std::function<std::string_view(std::string_view)>& wanted) {
  Words words{"org.apache.hadoop.yarn.client.cli.LogsCLI", "-applicationId",
              "application_" + id.substr(kJobMark.size())};
  words.insert(words.end(), which.begin(), which.end());
  for (int attempt = 0; attempt < 4; ++attempt) {
    const auto logs = client.run_class(words);
    if (!logs || logs->was_cancelled) return {};
    std::string found;
    each_line(logs->output, [&](std::string_view line) {
      if (const auto said = wanted(line); !said.empty()) found = said;
    });
    if (!found.empty() || !logs->output.empty()) return escaped(found, 1000);
    std::this_thread::sleep_for(std::chrono::seconds(2));
  }
  return {};
}

// What a task said, or what became of it.
std::string task_errors(const Client& client, const std::string& id) {
  if (!id.starts_with(kJobMark)) return {};
  // Only the end of each: a job may have thousands of tasks.
  auto said = last_logged(
      client, id, {"-log_files", "stderr", "-size", "-4096"}, [](std::string_view line) {
        const bool is_ours = line.starts_with("bloomery") || line.starts_with("terminate called");
        return is_ours ? line : std::string_view();
      });
  if (!said.empty()) return said;
  return last_logged(client, id, {"-am", "ALL", "-log_files", "syslog", "-size", "-65536"},
                     [](std::string_view line) {
                       const std::size_t at = line.find(" - exited : ");
                       return at == std::string_view::npos ? std::string_view()
                                                           : line.substr(at + 3);
                     });
}

std::string hint_for(std::string_view text) {
  const auto has = [&](const char* part) { return text.find(part) != std::string_view::npos; };
  constexpr const char* kSetting = "--hadoop-set mapreduce.map.memory.mb=N (or reduce)";
  if (has("capability")) {
    return fmt::format("; the site's containers are smaller: {} asks for less", kSetting);
  }
  if (has("memory limit") || has("code 137") || has("code 143")) {
    return fmt::format("; if its container was killed for memory, {} asks for more", kSetting);
  }
  if (has("Connection refused") || has("retries get failed") || has("ConnectException")) {
    return "; is the cluster up?";
  }
  return "";
}

Error failure_of(const Client& client, const StreamingJob& job, const JobLog& log,
                 const ChildResult& child) {
  std::string text;
  std::size_t shown = 0;
  for (const std::string& line : log.failures()) {
    if (++shown > kShownLines) break;
    text += "\n  " + escaped(line, 600);
  }
  if (text.empty()) text = " " + last_words(child.errors);
  std::string said = task_errors(client, log.id());
  if (said.empty() && !log.id().empty()) said = memory_kill(client, log.id());
  if (!said.empty()) text += "\n  the task: " + said;
  return make_error(ErrorCode::kIo, "the {} job {}failed:{}{}", job.what,
                    log.id().empty() ? std::string() : log.id() + " ", text,
                    hint_for(text + child.errors));
}

}  // namespace

Result<ClusterJob> run_streaming(const Client& client, const StreamingJob& job,
                                 const std::atomic<bool>* is_cancelled,
                                 const std::function<void(double)>& on_progress) {
  // What the client says is how a job's name, progress and counters are known; some sites keep it
  // quiet.
  Words words{"env", "HADOOP_ROOT_LOGGER=INFO,console"};
  words.insert(words.end(), client.commands().streaming.begin(), client.commands().streaming.end());
  for (std::string& word : arguments_of(job)) words.push_back(std::move(word));
  JobLog log(on_progress);
  ChildOptions options;
  options.is_cancelled = is_cancelled;
  options.on_error_line = [&](std::string_view line) { log.hear(line); };
  const auto child = run_child(words, options);
  if (!child) return child.error();
  if (child->was_cancelled) {
    return make_error(ErrorCode::kIo, "interrupted; {}", kill_job(client, log.id()));
  }
  if (child->status != 0) return failure_of(client, job, log, *child);
  ask_for_counters(client, log);
  return log.facts(job);
}

}  // namespace bloomery::hadoop
