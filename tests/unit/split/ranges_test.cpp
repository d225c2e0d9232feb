#include "split/ranges.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bloomery {
namespace {

std::vector<std::string> records_of(std::string_view text) {
  std::vector<std::string> records;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    records.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return records;
}

std::vector<std::string> owned(std::string_view file, ByteRange range) {
  const ByteRange bytes = owned_records(file, range);
  return records_of(file.substr(bytes.begin, bytes.size()));
}

constexpr std::string_view kFiles[] = {
    "",         "\n",         "a",    "a\n",        "\n\n\n",
    "one\ntwo", "one\ntwo\n", "\r\n", "a\r\nb\r\n", "\xEF\xBB\xBFx\ty\n1\t2\n\n3\t4"};

TEST(Ranges, ABoundaryOnAnyByteGivesEveryRecordOnce) {
  for (const std::string_view file : kFiles) {
    for (std::uint64_t first = 0; first <= file.size(); ++first) {
      for (std::uint64_t second = first; second <= file.size(); ++second) {
        std::vector<std::string> all;
        for (const ByteRange range :
             {ByteRange{0, first}, ByteRange{first, second}, ByteRange{second, file.size()}}) {
          for (std::string& record : owned(file, range)) all.push_back(std::move(record));
        }
        EXPECT_EQ(all, records_of(file)) << file << " cut at " << first << " and " << second;
      }
    }
  }
}

TEST(Ranges, ExactlyAsManyAsAskedForWhateverTheSize) {
  for (const std::uint64_t size : {0ULL, 1ULL, 5ULL, 1000ULL, ~0ULL - 1}) {
    for (const std::uint64_t tasks : {1U, 2U, 7U, 64U}) {
      const auto ranges = cut_evenly(size, tasks);
      ASSERT_EQ(ranges.size(), tasks);
      std::uint64_t at = 0;
      for (const ByteRange& range : ranges) {
        EXPECT_EQ(range.begin, at);
        EXPECT_LE(range.size(), size / tasks + 1);
        at = range.end;
      }
      EXPECT_EQ(at, size);
    }
  }
}

TEST(Ranges, LinesPerTaskCountsEveryLine) {
  const std::string_view file = "header\n\na\nb\nc";
  EXPECT_EQ(cut_lines(file, 2), (std::vector<ByteRange>{{0, 8}, {8, 12}, {12, 13}}));
  EXPECT_EQ(cut_lines(file, 5), (std::vector<ByteRange>{{0, 13}}));
  EXPECT_EQ(cut_lines(file, 100), (std::vector<ByteRange>{{0, 13}}));
  EXPECT_EQ(cut_lines(file, 2, 2), (std::vector<ByteRange>{{0, 8}, {8, 12}}));
  EXPECT_EQ(cut_lines(file, 1).size(), 5U);
  EXPECT_EQ(cut_lines("", 3), (std::vector<ByteRange>{{0, 0}}));
  for (const ByteRange& range : cut_lines(file, 2)) EXPECT_EQ(owned_records(file, range), range);
}

}  // namespace
}  // namespace bloomery
