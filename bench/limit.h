// What the machine itself can do: the yardstick of every other number.
//
// The limit of a lookup out of cache is the time of one random 64-byte line. One fixed kernel
// measures it: a table in huge pages, positions drawn 32 at a time, prefetched, then read. It reads
// one word a line, because the line is what costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "harness.h"
#include "huge_pages.h"

namespace bloomery::bench {

class LineTable {
 public:
  explicit LineTable(std::size_t bytes, Pages pages = Pages::kHuge);

  // Reads `count` random lines. Gives `count`, so that it can stand in a Contest.
  [[nodiscard]] std::uint64_t read(std::uint64_t count, std::uint64_t seed) const;
  // The same, shared out among threads.
  [[nodiscard]] std::uint64_t read(std::uint64_t count, unsigned threads) const;

  [[nodiscard]] std::size_t bytes() const noexcept { return data_.get_deleter().bytes; }

 private:
  std::unique_ptr<std::uint64_t, Unmap> data_;
};

// Adds the limit to a contest: ns per random line of `table`.
Contest::Id add_limit(Contest& contest, const LineTable& table, std::uint64_t lines,
                      unsigned threads);

// How much of this process lies in huge pages, in bytes.
[[nodiscard]] std::size_t huge_page_bytes();

}  // namespace bloomery::bench
