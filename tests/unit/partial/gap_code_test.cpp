#include "partial/gap_code.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// The rule as it is written in docs/partials.md, one bit at a time.
class SlowReader {
 public:
  SlowReader(GolombDivisor divisor, std::span<const std::byte> bytes)
      : divisor_(divisor), bytes_(bytes) {}

  // A number, the end, or bytes that are no number.
  GapReader::Status next() {
    for (quotient_ = 0; bit() == 1; ++quotient_) ++at_;
    if (is_at_end()) return quotient_ < 8 ? GapReader::Status::kEnd : GapReader::Status::kDamaged;
    ++at_;
    rest_ = 0;
    for (unsigned i = 0; i + 1 < divisor_.width(); ++i, ++at_) {
      if (is_at_end()) return GapReader::Status::kDamaged;
      rest_ |= bit() << i;
    }
    if (divisor_.width() > 0 && rest_ >= divisor_.short_ones()) {
      if (is_at_end()) return GapReader::Status::kDamaged;
      rest_ = 2 * rest_ + bit() - divisor_.short_ones();
      ++at_;
    }
    return GapReader::Status::kGap;
  }
  [[nodiscard]] bool is_at_most(std::uint64_t limit) const {
    return rest_ <= limit && quotient_ <= (limit - rest_) / divisor_.value();
  }
  // Requires that it is at most UINT64_MAX.
  [[nodiscard]] std::uint64_t gap() const { return quotient_ * divisor_.value() + rest_; }

 private:
  [[nodiscard]] bool is_at_end() const { return at_ == bytes_.size() * 8; }
  [[nodiscard]] std::uint64_t bit() const {
    return is_at_end() ? 0 : std::to_integer<std::uint64_t>(bytes_[at_ / 8]) >> (at_ % 8) & 1U;
  }

  GolombDivisor divisor_;
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;  // in bits
  std::uint64_t quotient_ = 0;
  std::uint64_t rest_ = 0;
};

// Limits that just let a gap pass, that just refuse it, and any others.
std::uint64_t some_limit(const SlowReader& number, std::mt19937_64& random) {
  const bool is_number = number.is_at_most(UINT64_MAX);
  switch (random() % 8) {
    case 0:
      return random() >> (random() % 64);
    case 1:
      return is_number && number.gap() > 0 ? number.gap() - 1 : 0;
    case 2:
      return UINT64_MAX;
    default:
      return is_number ? number.gap() : UINT64_MAX;
  }
}

void expect_as_slowly(GolombDivisor divisor, std::span<const std::byte> bytes,
                      std::mt19937_64& random) {
  SlowReader slow(divisor, bytes);
  GapReader reader(divisor, bytes);
  auto status = GapReader::Status::kGap;
  while (status == GapReader::Status::kGap) {
    status = slow.next();
    const std::uint64_t limit = some_limit(slow, random);
    if (status == GapReader::Status::kGap && !slow.is_at_most(limit)) {
      status = GapReader::Status::kDamaged;
    }
    std::uint64_t gap = 0;
    ASSERT_EQ(reader.next(limit, gap), status) << "limit " << limit;
    if (status == GapReader::Status::kGap) {
      ASSERT_EQ(gap, slow.gap());
    }
  }
}

TEST(GapCode, ReadsAnyBytesAsAReaderOfSingleBitsDoes) {
  std::mt19937_64 random(3);
  const auto any_byte = [&] { return static_cast<std::byte>(random()); };
  for (unsigned code = 0; code <= 247; ++code) {
    const auto divisor = *GolombDivisor::from_byte(static_cast<std::byte>(code));
    for (std::size_t size = 0; size <= 40; ++size) {
      std::vector<std::byte> bytes(size);
      const auto expect_same = [&] {
        ASSERT_NO_FATAL_FAILURE(expect_as_slowly(divisor, bytes, random))
            << "divisor " << code << ", " << size << " bytes";
      };
      expect_same();
      std::ranges::fill(bytes, std::byte{0xFF});
      expect_same();
      std::ranges::generate(bytes, any_byte);
      expect_same();
      for (std::byte& byte : bytes) byte |= any_byte() | any_byte();  // long runs of ones
      expect_same();
      for (std::byte& byte : bytes) byte &= any_byte() & any_byte();  // many small gaps
      expect_same();
    }
  }
}

}  // namespace
}  // namespace bloomery
