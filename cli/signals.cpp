#include "cli/signals.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigtimedwait() is POSIX
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

namespace bloomery::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPoll{20};
// Together with the rest it stays below half a second.
constexpr milliseconds kGrace{300};

sigset_t caught_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, number);
  return set;
}

[[noreturn]] void die_by(int number) {
  ::signal(number, SIG_DFL);
  const sigset_t set = caught_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(number);
  ::_exit(128 + number);  // only if the signal is ignored after all
}

}  // namespace

SignalGuard::SignalGuard(std::string output, std::atomic<bool>* is_cancelled)
    : output_(std::move(output)), is_cancelled_(is_cancelled) {
  const sigset_t set = caught_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this] { watch(); });
}

SignalGuard::~SignalGuard() {
  is_done_ = true;
  thread_.join();
  const sigset_t set = caught_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void SignalGuard::watch() {
  const sigset_t set = caught_signals();
  const timespec poll{0, std::chrono::nanoseconds(kPoll).count()};
  int number = -1;
  while (!is_done_ && number < 0) number = ::sigtimedwait(&set, nullptr, &poll);
  if (number < 0) return;
  if (is_cancelled_ != nullptr) *is_cancelled_ = true;
  for (auto waited = milliseconds{0}; waited < kGrace && !is_done_; waited += kPoll) {
    std::this_thread::sleep_for(kPoll);
  }
  remove_temporaries();
  die_by(number);
}

// By the name that base/temporary_name.h gives them, with the number of this process in it.
void SignalGuard::remove_temporaries() const {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path path = fs::weakly_canonical(output_, error);
  if (error) path = output_;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string mark = fmt::format(".tmp.{}.", ::getpid());
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with('.') && name.find(mark) != std::string::npos) {
      std::error_code ignored;
      fs::remove(it->path(), ignored);
    }
  }
}

}  // namespace bloomery::cli
