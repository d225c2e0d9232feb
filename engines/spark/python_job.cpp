#include "engines/spark/python_job.h"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): signals are POSIX
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "base/file.h"
#include "base/scratch_file.h"

namespace bloomery::spark {
namespace {

constexpr std::uint64_t kLogTail = 4096;

// The end of what the process said.
std::string tail_of(const File& log) {
  struct stat facts {};
  if (::fstat(log.descriptor(), &facts) != 0) return {};
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  std::string text(std::min(size, kLogTail), '\0');
  const auto read = read_at(log, size - text.size(),
                            std::as_writable_bytes(std::span(text.data(), text.size())), "log");
  return read ? text : std::string();
}

std::string last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

// In the child: standard streams in place, then the interpreter.
[[noreturn]] void become_python(const SparkOptions& options, int input, int output, int log) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);  // NOLINT(concurrency-mt-unsafe): one thread here
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  if (!options.shows_log) ::dup2(log, STDERR_FILENO);
  const std::array<const char*, 5> words{options.python.c_str(), "-m", "bloomery.spark", nullptr,
                                         nullptr};
  ::execvp(words[0], const_cast<char* const*>(words.data()));
  ::_exit(127);
}

std::string read_all(const File& pipe) {
  std::string text;
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t got =
        uninterrupted([&] { return ::read(pipe.descriptor(), buffer.data(), buffer.size()); });
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

Error no_result(const SparkOptions& options, int status, const std::string& log) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    return make_error(ErrorCode::kNotFound,
                      "--python {}: cannot be started; name an interpreter that has bloomery and "
                      "pyspark",
                      printable_path(options.python));
  }
  if (log.find("No module named bloomery") != std::string::npos ||
      log.find("No module named 'bloomery") != std::string::npos) {
    return make_error(ErrorCode::kNotFound,
                      "--python {}: has no package bloomery; install it there (docs/python.md), or "
                      "name another interpreter",
                      printable_path(options.python));
  }
  return make_error(ErrorCode::kIo, "{} ended with status {} and no result: {}; -v shows its log",
                    printable_path(options.python),
                    WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                    escaped(last_line(log), 500));
}

ErrorCode code_of(const std::string& kind) {
  if (kind == "InvalidError") return ErrorCode::kInvalidArgument;
  if (kind == "NotFoundError") return ErrorCode::kNotFound;
  if (kind == "DamagedError") return ErrorCode::kDamaged;
  if (kind == "UnsupportedError") return ErrorCode::kUnsupported;
  if (kind == "MismatchError") return ErrorCode::kMismatch;
  if (kind == "ExistsError") return ErrorCode::kExists;
  if (kind == "ResourceError") return ErrorCode::kResource;
  return ErrorCode::kIo;
}

}  // namespace

Result<nlohmann::json> run_python(const nlohmann::json& job, const SparkOptions& options) {
  std::string text;
  try {
    text = job.dump();
  } catch (const nlohmann::json::type_error&) {
    return make_error(ErrorCode::kUnsupported,
                      "--engine spark: a column or a text of metadata is not UTF-8, and Python's "
                      "texts are; use --engine threads");
  }
  auto input = open_scratch_file("/tmp");
  if (!input) return input.error();
  auto log = open_scratch_file("/tmp");
  if (!log) return log.error();
  const auto written =
      write_at(*input, 0, std::as_bytes(std::span(text.data(), text.size())), "/tmp");
  if (!written) return written.error();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno_error(errno, "pipe");
  const File from_child(ends[0]);
  File to_parent(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) return errno_error(errno, "fork");
  if (child == 0) {
    become_python(options, input->descriptor(), to_parent.descriptor(), log->descriptor());
  }
  to_parent.close();
  const std::string answer = read_all(from_child);
  int status = 0;
  uninterrupted([&] { return ::waitpid(child, &status, 0); });
  auto result = nlohmann::json::parse(answer, nullptr, false);
  if (!result.is_object()) return no_result(options, status, tail_of(*log));
  if (result.contains("error")) {
    return make_error(code_of(result.value("kind", "")), "{}",
                      escaped(result["error"].get<std::string>(), 2000));
  }
  return result;
}

}  // namespace bloomery::spark
