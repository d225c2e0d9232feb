#include "cli/signals.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigwaitinfo() is POSIX
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/file.h"

namespace bloomery::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPoll{20};

// Tells the watching thread that there is nothing left to watch.
int wake_signal() {
  return SIGRTMIN;
}

sigset_t caught_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, wake_signal()}) ::sigaddset(&set, number);
  return set;
}

[[noreturn]] void die_by(int number) {
  ::signal(number, SIG_DFL);
  // This one alone: the wake signal may be waiting, too.
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, number);
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(number);
  ::_exit(128 + number);  // only if the signal is ignored after all
}

// By the name that base/temporary_name.h gives them, with the number of this process in it.
void remove_temporaries_beside(const std::string& output) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path path = fs::weakly_canonical(output, error);
  if (error) path = output;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string mark = fmt::format(".tmp.{}.", ::getpid());
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with('.') && name.find(mark) != std::string::npos) {
      std::error_code ignored;
      fs::remove_all(it->path(), ignored);
    }
  }
}

}  // namespace

SignalGuard::SignalGuard(std::vector<std::string> outputs, std::atomic<bool>* is_cancelled,
                         milliseconds grace)
    : outputs_(std::move(outputs)), is_cancelled_(is_cancelled), grace_(grace) {
  const sigset_t set = caught_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this] { watch(); });
}

SignalGuard::~SignalGuard() {
  is_done_ = true;
  ::pthread_kill(thread_.native_handle(), wake_signal());
  thread_.join();
  const sigset_t set = caught_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void SignalGuard::watch() {
  const sigset_t set = caught_signals();
  const int number = uninterrupted([&] { return ::sigwaitinfo(&set, nullptr); });
  if (number < 0 || number == wake_signal()) return;
  if (is_cancelled_ != nullptr) *is_cancelled_ = true;
  for (auto waited = milliseconds{0}; waited < grace_ && !is_done_; waited += kPoll) {
    std::this_thread::sleep_for(kPoll);
  }
  remove_temporaries();
  const bool is_terminal = ::isatty(STDERR_FILENO) == 1;  // a progress bar may stand there
  fmt::print(stderr, "{}bloomery: interrupted; no half-written file is left\n",
             is_terminal ? "\n" : "");
  die_by(number);
}

void SignalGuard::remove_temporaries() const {
  for (const std::string& output : outputs_) remove_temporaries_beside(output);
}

}  // namespace bloomery::cli
