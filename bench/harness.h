// Times several ways of doing the same work fairly, and refuses to report a wrong answer.
//
// The host may be noisy and drifts, so the contestants take turns, round after round, and what
// counts is each one's best round. The limit a result is compared with is a contestant too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bloomery::bench {

struct Timing {
  double best = 0;  // ns per key
  double median = 0;
};

// How many keys the work may find.
struct Expected {
  std::uint64_t least = 0;
  std::uint64_t most = UINT64_MAX;
};

// What a filter with rate `fpr` answers to `questions` of which `present` were inserted: all of
// those, and of the others as many as six standard deviations and `tolerance` around the rate
// allow.
[[nodiscard]] Expected expected_found(std::uint64_t questions, std::uint64_t present, double fpr,
                                      double tolerance = 0.1);

class Contest {
 public:
  using Id = std::size_t;
  struct Work {
    std::string name;
    std::uint64_t keys = 0;
    std::function<std::uint64_t()> run;  // timed; gives how many keys were found
    Expected expected = {};
    std::function<void()> before = {};  // not timed, before each run
    unsigned threads = 1;               // that share the work
  };

  Id add(Work work);
  // Throws std::runtime_error when a contestant finds fewer or more keys than it may.
  void run(int rounds);
  [[nodiscard]] Timing operator[](Id id) const;

 private:
  struct Contestant {
    Work work;
    std::vector<double> samples;
  };
  std::vector<Contestant> contestants_;
};

// From now on all times are of the processor and not of the clock on the wall: a rough measure for
// work on a machine that is busy with other things. Threads that wait for each other look faster.
void use_processor_time() noexcept;

// Seconds that `work` takes on `threads` threads.
[[nodiscard]] double seconds(const std::function<void()>& work, unsigned threads = 1);

// Runs work(thread) on `threads` threads at once and adds up what they give.
[[nodiscard]] std::uint64_t sum_over_threads(unsigned threads,
                                             const std::function<std::uint64_t(unsigned)>& work);

}  // namespace bloomery::bench
