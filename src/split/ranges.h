// Cuts a mapped file into byte ranges, so that several tasks read it and every record is read once.
//
//   takes   the bytes of a file, and how many tasks or lines
//   gives   ranges, to whoever runs tasks
//
// One rule, which is Hadoop's: a range owns the records that start in it. So any byte may be a
// boundary, no task needs to know of another, and exactly as many ranges come out as were asked
// for; some may own nothing.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bloomery {

struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const noexcept { return end - begin; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// Exactly `tasks` ranges of nearly equal length that cover `size` bytes. Requires tasks > 0.
[[nodiscard]] std::vector<ByteRange> cut_evenly(std::uint64_t size, std::uint64_t tasks);

// Ranges of `lines` LF-ended lines each, the last one perhaps of fewer. Every line counts: header
// and blank ones too. Requires lines > 0. An empty file gives one empty range. Stops at `most`
// ranges, wherever that is.
[[nodiscard]] std::vector<ByteRange> cut_lines(std::string_view file, std::uint64_t lines,
                                               std::uint64_t most = UINT64_MAX);

// The bytes of the records that `range` owns: from the first record start at or after range.begin,
// to the end of the last record that starts before range.end. Empty where no record starts.
// Requires range within file.
[[nodiscard]] ByteRange owned_records(std::string_view file, ByteRange range) noexcept;

}  // namespace bloomery
