// What a job cost: time, processor time, memory.
#pragma once

#include <cstdint>
#include <memory>

#include "engines/jobs.h"

namespace bloomery {

// Measures from its making on. The kernel keeps no peak of anonymous memory, so a thread looks at
// it every few milliseconds.
class JobClock {
 public:
  JobClock();
  JobClock(JobClock&& other) noexcept;
  JobClock& operator=(JobClock&& other) noexcept;
  ~JobClock();

  void finish(JobFacts& facts);

 private:
  class PeakMemory;

  double wall_start_;
  double cpu_start_;
  std::unique_ptr<PeakMemory> peak_memory_;
};

// What this process may use: the smaller of the machine's memory and its control group's limit.
struct MemoryLimit {
  std::uint64_t bytes = 0;
  bool is_group_limit = false;
};
[[nodiscard]] MemoryLimit memory_limit();

// What a job may use unless told otherwise: four fifths of that.
[[nodiscard]] std::uint64_t default_memory();

// How a build shares its memory out: for hashes, which take as much again while they are sorted by
// their place in a large table, and for filters. Both at their largest together are rare: hashes
// that fill their share make filters of a sixth of it, at 1 % and 64 bits a hash.
[[nodiscard]] constexpr std::uint64_t hash_memory(std::uint64_t memory) noexcept {
  return memory / 8 * 3;
}
[[nodiscard]] constexpr std::uint64_t filter_memory(std::uint64_t memory) noexcept {
  return memory - hash_memory(memory);
}

}  // namespace bloomery
