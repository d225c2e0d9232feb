#include "engines/threads/job_facts.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <string>

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

// The number after `name` in a file of "name: number kB" lines, in bytes; 0 where there is none.
std::uint64_t kib_line(const char* path, const std::string& name) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    std::uint64_t kib = 0;
    if (word == name && file >> kib) return kib * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

std::uint64_t control_group_limit() {
  std::ifstream file("/sys/fs/cgroup/memory.max");
  std::uint64_t bytes = 0;
  return file >> bytes ? bytes : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

JobClock::JobClock() : wall_start_(wall_now()), cpu_start_(cpu_now()) {}

void JobClock::look_at_memory() {
  peak_memory_ = std::max(peak_memory_, kib_line("/proc/self/status", "RssAnon:"));
}

void JobClock::finish(JobFacts& facts) {
  look_at_memory();
  facts.wall_seconds = wall_now() - wall_start_;
  facts.cpu_seconds = cpu_now() - cpu_start_;
  facts.peak_memory = peak_memory_;
}

std::uint64_t default_memory() {
  const auto pages = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_PHYS_PAGES)));
  const auto page = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_PAGESIZE)));
  return std::min(pages * page, control_group_limit()) / 5 * 4;
}

}  // namespace bloomery
