#include "parse/mark_index.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace bloomery {
namespace {

std::vector<std::uint32_t> list(std::span<const std::uint32_t> positions) {
  return {positions.begin(), positions.end()};
}

TEST(MarkIndex, FindsFieldsAndRecords) {
  MarkIndex index;
  index.build("a\tb\n\nc", {'\t', false, false}, true);
  EXPECT_EQ(list(index.marks()), (std::vector<std::uint32_t>{UINT32_MAX, 1, 3, 4, 6}));
  EXPECT_EQ(list(index.ends()), (std::vector<std::uint32_t>{3, 4, 6}));
  index.build("a\tb\n\nc", {'\t', false, false}, false);
  EXPECT_EQ(list(index.ends()), (std::vector<std::uint32_t>{3, 4}));
  index.build("", {'\t', false, false}, true);
  EXPECT_TRUE(index.ends().empty());
}

// A quoted record at every distance from the edge of a 64-byte block.
TEST(MarkIndex, BlocksLeaveNoSeams) {
  const std::string record = "\"x,y\",\"a\"\"b\",\"\"\r\n";
  for (std::size_t shift = 0; shift < 200; ++shift) {
    const std::string text = std::string(shift, 'p') + ",q\n" + record + "z\n";
    MarkIndex index;
    index.build(text, {',', true, false}, true);
    const auto at = static_cast<std::uint32_t>(shift);
    EXPECT_EQ(list(index.marks()), (std::vector<std::uint32_t>{UINT32_MAX, at, at + 2, at + 8,
                                                               at + 15, at + 19, at + 21}))
        << shift;
    EXPECT_TRUE(index.broken().empty()) << shift;
    EXPECT_TRUE(index.has_doubled_quotes());
  }
}

TEST(MarkIndex, BrokenQuotingStaysInItsRecord) {
  for (std::size_t shift = 0; shift < 130; ++shift) {
    for (const std::string broken :
         {"\"open,1", "mid\"dle,1", "\"a\"b,1", "\"a\" ,1", "a,\"b\"\rc"}) {
      const std::string text = std::string(shift, 'p') + ",q\n" + broken + "\ngood,\"1\"\n";
      MarkIndex index;
      index.build(text, {',', true, false}, true);
      const auto begin = static_cast<std::uint32_t>(shift + 3);
      const auto end = begin + static_cast<std::uint32_t>(broken.size());
      ASSERT_FALSE(index.broken().empty()) << broken << " after " << shift;
      for (const std::uint32_t position : index.broken()) {
        EXPECT_GE(position, begin);
        EXPECT_LE(position, end);
      }
      EXPECT_EQ(index.ends().size(), 3U);
      EXPECT_EQ(index.ends()[1], end);
    }
  }
}

TEST(MarkIndex, AnyByteMayDelimit) {
  for (int c = 0; c < 256; ++c) {
    const char delimiter = static_cast<char>(c);
    if (delimiter == '\n' || delimiter == '"' || delimiter == '\r') continue;
    const std::string filler = delimiter == 'x' ? "yy" : "xx";
    const std::string text = filler + delimiter + filler + "\n";
    MarkIndex index;
    index.build(text, {delimiter, c % 2 == 0, false}, true);
    EXPECT_EQ(list(index.marks()), (std::vector<std::uint32_t>{UINT32_MAX, 2, 5})) << c;
  }
}

}  // namespace
}  // namespace bloomery
