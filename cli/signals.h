// Ctrl-C and its kin for commands that write files: answered at once, with nothing left behind.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace bloomery::cli {

// While one lives, SIGINT, SIGTERM and SIGHUP set `is_cancelled`, give the command a moment to stop
// by itself, remove the temporary files that it was writing beside `outputs`, and then end the
// process by that same signal, so that the shell sees 128 + n. Make it before starting threads:
// they inherit its signal mask.
class SignalGuard {
 public:
  // Together with the rest it stays below half a second.
  static constexpr std::chrono::milliseconds kQuick{300};
  // To kill a job on a cluster.
  static constexpr std::chrono::milliseconds kCluster{60'000};

  SignalGuard(std::vector<std::string> outputs, std::atomic<bool>* is_cancelled,
              std::chrono::milliseconds grace = kQuick);
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  ~SignalGuard();

 private:
  void watch();
  void remove_temporaries() const;

  std::vector<std::string> outputs_;
  std::atomic<bool>* is_cancelled_;
  std::chrono::milliseconds grace_;
  std::atomic<bool> is_done_{false};
  std::thread thread_;
};

}  // namespace bloomery::cli
