#include "split/ranges.h"

#include <algorithm>

namespace bloomery {
namespace {

// Where the first record at or after `offset` starts.
std::uint64_t record_start(std::string_view file, std::uint64_t offset) noexcept {
  if (offset == 0 || offset >= file.size()) return std::min<std::uint64_t>(offset, file.size());
  const std::size_t line_feed = file.find('\n', offset - 1);
  return line_feed == std::string_view::npos ? file.size() : line_feed + 1;
}

}  // namespace

std::vector<ByteRange> cut_evenly(std::uint64_t size, std::uint64_t tasks) {
  std::vector<ByteRange> ranges;
  ranges.reserve(tasks);
  // size * i / tasks without the product, which may not fit 64 bits.
  const std::uint64_t whole = size / tasks;
  const std::uint64_t spare = size % tasks;
  std::uint64_t begin = 0;
  for (std::uint64_t i = 0; i < tasks; ++i) {
    const std::uint64_t end = begin + whole + (i < spare ? 1 : 0);
    ranges.push_back({begin, end});
    begin = end;
  }
  return ranges;
}

std::vector<ByteRange> cut_lines(std::string_view file, std::uint64_t lines, std::uint64_t most) {
  std::vector<ByteRange> ranges;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint64_t count = 0;
  while (end < file.size() && ranges.size() < most) {
    const std::size_t line_feed = file.find('\n', end);
    end = line_feed == std::string_view::npos ? file.size() : line_feed + 1;
    if (++count == lines) {
      ranges.push_back({begin, end});
      begin = end;
      count = 0;
    }
  }
  if (count > 0 || ranges.empty()) ranges.push_back({begin, end});
  return ranges;
}

ByteRange owned_records(std::string_view file, ByteRange range) noexcept {
  const std::uint64_t begin = record_start(file, range.begin);
  if (begin >= range.end) return {range.end, range.end};
  return {begin, record_start(file, range.end)};
}

}  // namespace bloomery
