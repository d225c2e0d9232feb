#include "limit.h"

#include <fmt/core.h>

#include <array>
#include <atomic>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

#include "keys.h"

namespace bloomery::bench {
namespace {

constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kLineWords = 8;
constexpr std::size_t kBatch = 32;

// Keeps the compiler from leaving out work whose result nobody reads.
void use(std::uint64_t value) noexcept {
  static std::atomic<std::uint64_t> sink;
  sink.fetch_xor(value, std::memory_order_relaxed);
}

std::uint64_t scaled(std::uint64_t random, std::uint64_t range) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(random) * range) >> 64U);
}

}  // namespace

LineTable::LineTable(std::size_t bytes, Pages pages)
    : data_(static_cast<std::uint64_t*>(map_pages(bytes, pages)), Unmap{bytes}) {
  if (data_ == nullptr) throw std::bad_alloc();
  std::memset(data_.get(), 1, bytes);  // or all pages would be the one zero page
}

std::uint64_t LineTable::read(std::uint64_t count, std::uint64_t seed) const {
  const std::uint64_t lines = bytes() / kLineBytes;
  const std::uint64_t* const table = data_.get();
  std::array<const std::uint64_t*, kBatch> batch{};
  std::uint64_t sum = 0;
  for (std::uint64_t done = 0; done < count; done += kBatch) {
    for (auto& line : batch) {
      line = table + kLineWords * scaled(scrambled(seed++), lines);
      __builtin_prefetch(line);
    }
    for (const auto* line : batch) sum += *line;
  }
  use(sum);
  return count;
}

std::uint64_t LineTable::read(std::uint64_t count, unsigned threads) const {
  return sum_over_threads(threads, [&](unsigned t) {
    return read(count / threads, static_cast<std::uint64_t>(t) << 40U);
  });
}

Contest::Id add_limit(Contest& contest, const LineTable& table, std::uint64_t lines,
                      unsigned threads) {
  return contest.add({.name = fmt::format("limit, {} threads", threads),
                      .keys = lines,
                      .run = [&table, lines, threads] { return table.read(lines, threads); },
                      .threads = threads});
}

std::size_t huge_page_bytes() {
  std::ifstream rollup("/proc/self/smaps_rollup");
  for (std::string line; std::getline(rollup, line);) {
    if (line.starts_with("AnonHugePages:")) return std::stoull(line.substr(14)) << 10U;
  }
  return 0;
}

}  // namespace bloomery::bench
