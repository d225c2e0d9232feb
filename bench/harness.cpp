#include "harness.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <utility>

namespace bloomery::bench {

namespace {

bool g_processor_time = false;

double now() noexcept {
  timespec time{};
  clock_gettime(g_processor_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

void use_processor_time() noexcept {
  g_processor_time = true;
}

double seconds(const std::function<void()>& work, unsigned threads) {
  const double start = now();
  work();
  return (now() - start) / (g_processor_time ? threads : 1);
}

Expected expected_found(std::uint64_t questions, std::uint64_t present, double fpr,
                        double tolerance) {
  const double mean = static_cast<double>(questions - present) * fpr;
  const double slack = 6 * std::sqrt(mean) + tolerance * mean + 3;
  return {present + static_cast<std::uint64_t>(std::max(0.0, mean - slack)),
          present + (questions == present ? 0 : static_cast<std::uint64_t>(mean + slack))};
}

Contest::Id Contest::add(Work work) {
  contestants_.push_back({std::move(work), {}});
  return contestants_.size() - 1;
}

void Contest::run(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (auto& [work, samples] : contestants_) {
      if (work.before) work.before();
      std::uint64_t found = 0;
      const double time = seconds([&, &run = work.run] { found = run(); }, work.threads);
      if (found < work.expected.least || found > work.expected.most) {
        throw std::runtime_error(fmt::format("{}: wrong answers: found {} keys, expected {} to {}",
                                             work.name, found, work.expected.least,
                                             work.expected.most));
      }
      samples.push_back(time * 1e9 / static_cast<double>(work.keys));
    }
  }
  for (auto& contestant : contestants_) std::ranges::sort(contestant.samples);
}

Timing Contest::operator[](Id id) const {
  const auto& samples = contestants_.at(id).samples;
  return {samples.at(0), samples.at(samples.size() / 2)};
}

std::uint64_t sum_over_threads(unsigned threads,
                               const std::function<std::uint64_t(unsigned)>& work) {
  std::vector<std::uint64_t> sums(threads);
  std::vector<std::thread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back([&, t] { sums[t] = work(t); });
  sums[0] = work(0);
  for (auto& thread : others) thread.join();
  std::uint64_t total = 0;
  for (const std::uint64_t sum : sums) total += sum;
  return total;
}

}  // namespace bloomery::bench
