#include "partial/gap_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bloomery {
namespace {

std::vector<std::byte> coded(GolombDivisor divisor, std::span<const std::uint64_t> gaps) {
  std::vector<std::byte> bytes;
  GapWriter writer(divisor, bytes);
  for (const std::uint64_t gap : gaps) writer.put(gap);
  writer.finish();
  return bytes;
}

void expect_back(std::span<const std::byte> bytes, std::span<const std::uint64_t> gaps) {
  const auto divisor = GolombDivisor::from_byte(bytes[0]);
  ASSERT_TRUE(divisor.has_value());
  GapReader reader(*divisor, bytes.subspan(1));
  std::uint64_t gap = 0;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    ASSERT_EQ(reader.next(UINT64_MAX, gap), GapReader::Status::kGap) << "gap " << i;
    ASSERT_EQ(gap, gaps[i]) << "gap " << i;
  }
  EXPECT_EQ(reader.next(UINT64_MAX, gap), GapReader::Status::kEnd);
}

TEST(GapCode, GivesBackWhatItWasGivenForEveryDivisor) {
  std::mt19937_64 random(1);
  for (unsigned code = 0; code < 256; ++code) {
    const auto divisor = GolombDivisor::from_byte(static_cast<std::byte>(code));
    ASSERT_EQ(divisor.has_value(), code <= 247) << code;
    if (!divisor) continue;
    // Up to 200 times the divisor, so that quotients of more than a word of ones occur.
    const std::uint64_t most =
        divisor->value() > UINT64_MAX / 200 ? UINT64_MAX : divisor->value() * 200;
    std::vector<std::uint64_t> gaps{0, divisor->value() - 1, divisor->value(), most};
    for (int i = 0; i < 50; ++i) gaps.push_back(random() % most >> (random() % 8));
    for (std::size_t size = 0; size <= gaps.size(); ++size) {
      expect_back(coded(*divisor, std::span(gaps).first(size)), std::span(gaps).first(size));
    }
  }
}

// Random sets of 2^20 cells: 1.2 % above the entropy where up to a fifth of the cells is set, 4.5 %
// above that.
TEST(GapCode, IsCloseToTheEntropyOfRandomSets) {
  std::mt19937_64 random(2);
  constexpr double kCells = 1 << 20;
  for (const double fill : {0.0005, 0.003, 0.01, 0.0282, 0.0595, 0.0741, 0.13, 0.2, 0.28, 0.38}) {
    std::geometric_distribution<std::uint64_t> any_gap(fill);
    std::vector<std::uint64_t> gaps;
    for (double at = 0; at < kCells; at += static_cast<double>(gaps.back()) + 1) {
      gaps.push_back(any_gap(random));
    }
    gaps.pop_back();
    const double share = static_cast<double>(gaps.size()) / kCells;
    const double entropy =
        kCells / 8 * (-share * std::log2(share) - (1 - share) * std::log2(1 - share));
    const auto size = static_cast<double>(
        coded(GolombDivisor::for_gaps(kCells * (1 - share), gaps.size()), gaps).size());
    EXPECT_LT(size, entropy * (fill <= 0.2 ? 1.012 : 1.045) + 2) << "fill " << fill;
  }
}

TEST(GapCode, RefusesGapsAboveTheLimitAndBytesThatAreNoCode) {
  const auto divisor = GolombDivisor::for_gaps(100, 10);
  const std::vector<std::uint64_t> gaps{57};
  const auto bytes = coded(divisor, gaps);
  std::uint64_t gap = 0;
  EXPECT_EQ(GapReader(divisor, std::span(bytes).subspan(1)).next(57, gap), GapReader::Status::kGap);
  EXPECT_EQ(GapReader(divisor, std::span(bytes).subspan(1)).next(56, gap),
            GapReader::Status::kDamaged);
  // More ones than a last byte is filled with, and a number that ends too early.
  const std::vector<std::byte> ones(2, std::byte{0xFF});
  EXPECT_EQ(GapReader(divisor, ones).next(UINT64_MAX, gap), GapReader::Status::kDamaged);
  const std::vector<std::byte> cut{std::byte{0x7F}};
  EXPECT_EQ(GapReader(divisor, cut).next(UINT64_MAX, gap), GapReader::Status::kDamaged);
}

}  // namespace
}  // namespace bloomery
