// The candidates of all tasks on one machine, in bounded memory.
//
//   takes   candidates from VerifyMaps on any threads, in any order
//   gives   SettledGroups, to conclude()
//
// Candidates are held in 256 parts by key, because those of one key must meet. When they exceed the
// memory, equal ones are added up, and if that does not help all parts go to a file without a name.
// At the end each part is read back and settled on its own. So memory is what was given, or what
// 1/256 of the distinct candidates takes on each thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "bloomery/result.h"
#include "verify/candidate.h"

namespace bloomery {

class CandidateStore {
 public:
  // Holds up to about `memory` bytes and puts the rest into a file in `folder`, which is made only
  // if it is needed.
  CandidateStore(std::uint64_t memory, std::string folder);

  // Safe from any number of threads. Fails when the file cannot be written.
  Result<void> add(std::span<const Candidate> candidates);

  // Settles all candidates for a bank of `groups` groups, and forgets them. Call it when all are
  // added. `threads` of 0: as many as the machine has.
  Result<SettledGroups> settle_all(std::size_t groups, unsigned threads);

  [[nodiscard]] std::uint64_t spilled_bytes() const noexcept { return file_size_; }

 private:
  static constexpr std::size_t kParts = 256;

  // Candidates of one part, in the file.
  struct Stretch {
    std::uint64_t offset = 0;
    std::size_t count = 0;
  };
  struct Part {
    std::vector<Candidate> held;
    std::vector<Stretch> spilled;
  };

  Result<void> make_room();
  Result<void> spill();
  [[nodiscard]] Result<std::vector<Candidate>> take_part(Part& part) const;

  std::mutex mutex_;
  std::array<Part, kParts> parts_;
  std::size_t held_ = 0;
  std::size_t max_held_;
  std::string folder_;
  File file_;
  std::uint64_t file_size_ = 0;
};

}  // namespace bloomery
