// Who has sent what: nothing is merged twice, and nothing is missing unnoticed.
//
//   takes   frames and trailers, in any order, some of them twice
//   gives   whether a frame is new; in the end, the keys of each group, or what is missing
//
// A task that ran twice sends the same frames again: those are known by number and checksum and
// left out, which is what makes adding counters safe. The same number with another checksum means
// that a task gave two results, and is refused. The price is 16 bytes or so of memory a frame.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "bloomery/result.h"
#include "partial/frame.h"

namespace bloomery {

class PartialLedger {
 public:
  // True for a frame that is new, false for one that was here already. Fails, naming the task, for
  // a frame that was here with another content, and for a trailer that lies.
  Result<bool> note(const Frame& frame);

  // What to settle: a group and spec_check() of its spec.
  struct Group {
    std::string_view group;
    std::uint64_t spec_check = 0;
  };
  // The keys of each group, repeats included, when all is here: of every task a trailer, and of
  // these groups every frame that trailers speak of and no other. With `tasks`, there must be
  // exactly the tasks below it.
  [[nodiscard]] Result<std::vector<std::uint64_t>> settle(std::span<const Group> groups,
                                                          std::optional<std::uint64_t> tasks) const;

 private:
  struct Received {
    std::uint64_t frames = 0;
    std::uint64_t checksums = 0;
  };
  struct Task {
    std::unordered_map<std::uint32_t, std::uint64_t> seen;  // checksums by frame number
    std::map<std::string, Received, std::less<>> received;
    std::map<std::string, TrailerGroup, std::less<>> promised;
    std::optional<std::uint64_t> trailer;  // its checksum
  };

  static Result<bool> note_trailer(Task& task, const Frame& frame);
  [[nodiscard]] Result<void> check_tasks(std::optional<std::uint64_t> tasks) const;
  static Result<std::uint64_t> settle_group(std::uint32_t number, const Task& task,
                                            const Group& group);

  std::map<std::uint32_t, Task> tasks_;
};

}  // namespace bloomery
