#include "engines/hadoop/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "base/error.h"
#include "base/file.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace bloomery::hadoop {
namespace {

constexpr std::size_t kKeptErrors = std::size_t{64} << 10U;
constexpr int kPollMilliseconds = 50;

struct Pipe {
  File read;
  File write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno_error(errno, "pipe");
  return Pipe{File(ends[0]), File(ends[1])};
}

Result<pid_t> spawn(const std::vector<std::string>& words, int output, int errors) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  ::sigemptyset(&none);
  sigset_t restored;
  ::sigemptyset(&restored);
  ::sigaddset(&restored, SIGPIPE);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &restored);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, words.front().c_str(), &actions, &attributes,
                                    arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0) return errno_error(failed, escaped(words.front(), 4096));
  return child;
}

class Listener {
 public:
  Listener(const ChildOptions& options, ChildResult& result)
      : options_(&options), result_(&result) {}

  // False when enough was heard.
  bool hear_output(std::string_view bytes) {
    heard_ += bytes.size();
    if (options_->on_output) {
      options_->on_output(bytes);
    } else {
      result_->output += bytes;
    }
    return heard_ < options_->max_output;
  }

  void hear_errors(std::string_view bytes) {
    result_->errors += bytes;
    if (result_->errors.size() > 2 * kKeptErrors) {
      result_->errors.erase(0, result_->errors.size() - kKeptErrors);
    }
    if (!options_->on_error_line) return;
    line_ += bytes;
    std::size_t begin = 0;
    for (std::size_t end = line_.find('\n'); end != std::string::npos;
         end = line_.find('\n', begin)) {
      options_->on_error_line(std::string_view(line_).substr(begin, end - begin));
      begin = end + 1;
    }
    line_.erase(0, begin);
  }

 private:
  const ChildOptions* options_;
  ChildResult* result_;
  std::size_t heard_ = 0;
  std::string line_;
};

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void wait_for(pid_t child, ChildResult& result) {
  int status = 0;
  rusage usage{};
  uninterrupted([&] { return ::wait4(child, &status, 0, &usage); });
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  result.peak_resident = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

// Listens until both ends are closed. False when the child was told to stop.
bool listen(Pipe& output, Pipe& errors, const ChildOptions& options, Listener& listener,
            ChildResult& result) {
  std::array<pollfd, 2> ends{
      {{output.read.descriptor(), POLLIN, 0}, {errors.read.descriptor(), POLLIN, 0}}};
  std::string buffer(std::size_t{64} << 10U, '\0');
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (options.is_cancelled != nullptr && *options.is_cancelled) {
      result.was_cancelled = true;
      return false;
    }
    ::poll(ends.data(), ends.size(), kPollMilliseconds);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const auto got =
          uninterrupted([&] { return ::read(ends[i].fd, buffer.data(), buffer.size()); });
      if (got <= 0) {
        ends[i].fd = -1;
        continue;
      }
      const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
      if (i == 1) {
        listener.hear_errors(bytes);
      } else if (!listener.hear_output(bytes)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

Result<ChildResult> run_child(const std::vector<std::string>& words, const ChildOptions& options) {
  auto output = make_pipe();
  if (!output) return output.error();
  auto errors = make_pipe();
  if (!errors) return errors.error();
  const auto start = std::chrono::steady_clock::now();
  const auto child = spawn(words, output->write.descriptor(), errors->write.descriptor());
  if (!child) return child.error();
  output->write.close();
  errors->write.close();
  ChildResult result;
  Listener listener(options, result);
  if (listen(*output, *errors, options, listener, result)) {
    wait_for(*child, result);
    const auto took = std::chrono::steady_clock::now() - start;
    result.wall_seconds = std::chrono::duration<double>(took).count();
    return result;
  }
  // Its whole group: a launch script has a Java below it.
  ::kill(-*child, result.was_cancelled ? SIGTERM : SIGKILL);
  wait_for(*child, result);
  if (!result.was_cancelled) result.status = 0;
  return result;
}

}  // namespace bloomery::hadoop
