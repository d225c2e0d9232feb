#include "engines/job_clock.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <stop_token>
#include <thread>

namespace bloomery {
namespace {

double wall_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_now() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::uint64_t page_bytes() {
  return static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_PAGESIZE)));
}

// What is resident and not a page of a file; 0 where it cannot be told.
std::uint64_t anonymous_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::uint64_t of_files = 0;
  if (!(file >> size >> resident >> of_files) || resident < of_files) return 0;
  return (resident - of_files) * page_bytes();
}

}  // namespace

class JobClock::PeakMemory {
 public:
  PeakMemory() : thread_([this](const std::stop_token& stop) { watch(stop); }) {}

  std::uint64_t bytes() {
    const std::scoped_lock lock(mutex_);
    return look();
  }

 private:
  void watch(const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kBetween{5};
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      look();
      wake_.wait_for(lock, stop, kBetween, [] { return false; });
    }
  }

  std::uint64_t look() { return peak_ = std::max(peak_, anonymous_memory()); }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::uint64_t peak_ = 0;
  std::jthread thread_;  // the last member: it ends before what it uses
};

JobClock::JobClock()
    : wall_start_(wall_now()),
      cpu_start_(cpu_now()),
      peak_memory_(std::make_unique<PeakMemory>()) {}
JobClock::JobClock(JobClock&&) noexcept = default;
JobClock& JobClock::operator=(JobClock&&) noexcept = default;
JobClock::~JobClock() = default;

void JobClock::finish(JobFacts& facts) {
  facts.wall_seconds = wall_now() - wall_start_;
  facts.cpu_seconds = cpu_now() - cpu_start_;
  facts.peak_memory = peak_memory_->bytes();
}

MemoryLimit memory_limit() {
  const auto pages = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_PHYS_PAGES)));
  MemoryLimit limit{pages * page_bytes(), false};
  // Of control groups of version 2, and of version 1.
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    std::uint64_t bytes = 0;
    if (file >> bytes && bytes > 0 && bytes < limit.bytes) limit = {bytes, true};
  }
  return limit;
}

std::uint64_t default_memory() {
  return memory_limit().bytes / 5 * 4;
}

}  // namespace bloomery
