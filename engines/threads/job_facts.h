// What a job cost: time, processor time, memory.
#pragma once

#include <cstdint>

#include "engines/threads/engine.h"

namespace bloomery {

// Measures from its making on.
class JobClock {
 public:
  JobClock();
  // Notes how much anonymous memory there is now; finish() reports the most that was seen.
  void look_at_memory();
  void finish(JobFacts& facts);

 private:
  double wall_start_;
  double cpu_start_;
  std::uint64_t peak_memory_ = 0;
};

// What a job may use unless told otherwise: four fifths of what the machine or its control group
// has.
[[nodiscard]] std::uint64_t default_memory();

}  // namespace bloomery
