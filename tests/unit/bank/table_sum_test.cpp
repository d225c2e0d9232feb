// However a table is cut, its pieces add up to one sum; whatever is lost or moved changes it.
#include "bank/table_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace bloomery {
namespace {

class TableSumTest : public testing::Test {
 protected:
  TableSumTest() {
    std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same bytes every time
    for (std::byte& byte : table_) byte = static_cast<std::byte>(random());
  }

  std::vector<std::byte> table_ = std::vector<std::byte>(1003);
};

TEST_F(TableSumTest, IsTheSameHoweverATableIsCut) {
  for (std::size_t piece = 1; piece < 40; ++piece) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < table_.size(); at += piece) {
      const auto size = std::min(piece, table_.size() - at);
      sum += table_sum(at, std::span<const std::byte>(table_).subspan(at, size));
    }
    EXPECT_EQ(sum, table_sum(0, table_)) << piece;
  }
}

TEST_F(TableSumTest, CountsZerosAsNothing) {
  table_.resize(table_.size() + 100);
  EXPECT_EQ(table_sum(0, table_), table_sum(0, std::span(table_).first(1003)));
  EXPECT_EQ(table_sum(5, {}), 0U);
}

TEST_F(TableSumTest, TellsEveryChangedBit) {
  const std::uint64_t right = table_sum(0, table_);
  for (std::size_t bit = 0; bit < table_.size() * 8; ++bit) {
    table_[bit / 8] ^= std::byte{1} << (bit % 8);
    ASSERT_NE(table_sum(0, table_), right) << bit;
    table_[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

TEST_F(TableSumTest, TellsBytesThatChangePlacesOrAreLost) {
  const std::uint64_t right = table_sum(0, table_);
  for (std::ptrdiff_t at = 0; at + 128 <= std::ssize(table_); at += 64) {
    auto moved = table_;
    const auto here = moved.begin() + at;
    std::rotate(here, here + 64, here + 128);
    EXPECT_NE(table_sum(0, moved), right) << at;
    auto lost = table_;
    std::fill_n(lost.begin() + at, 64, std::byte{0});
    EXPECT_NE(table_sum(0, lost), right) << at;
  }
}

}  // namespace
}  // namespace bloomery
