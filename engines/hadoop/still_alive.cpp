#include "engines/hadoop/still_alive.h"

#include <fmt/core.h>

#include <chrono>

namespace bloomery::hadoop {

StillAlive::StillAlive() : thread_([this] { tell(); }) {}

StillAlive::~StillAlive() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  over_.notify_all();
  thread_.join();
}

// A line of Streaming's own on standard error.
void StillAlive::tell() {
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    if (over_.wait_for(lock, std::chrono::seconds(30)) == std::cv_status::timeout) {
      fmt::print(stderr, "reporter:status:working\n");
    }
  }
}

}  // namespace bloomery::hadoop
