// Golomb code: small numbers in few bits, when they are the gaps of a random set.
//
//   takes   gaps between sorted positions or hashes
//   gives   bytes close to the entropy of the set, and the gaps back
//
// A gap g is g / d ones, a zero, and g % d in truncated binary; bits fill bytes from the low end.
// The divisor d is one byte, two bits of mantissa and six of exponent, so that there is one for
// every density. The last byte is filled with ones: a number has a zero in it, so they cannot be
// one, and no count is needed. Price of a code without arithmetic: up to 1 % above the entropy
// where less than a quarter of the cells is set, 4 % at 0.38, above which raw bits are smaller.
// This is format: docs/partials.md.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/endian.h"

namespace bloomery {

class GolombDivisor {
 public:
  // The best for `count` gaps that sum up to about `range`. For one gap it is above `range`, so
  // that a lone position of a block never takes more than 4 bytes.
  [[nodiscard]] static GolombDivisor for_gaps(double range, std::uint64_t count) noexcept;
  // Nothing for a byte that is no divisor.
  [[nodiscard]] static std::optional<GolombDivisor> from_byte(std::byte byte) noexcept;

  [[nodiscard]] std::byte byte() const noexcept { return static_cast<std::byte>(code_); }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }
  [[nodiscard]] unsigned width() const noexcept { return width_; }
  // Remainders below this take width() - 1 bits.
  [[nodiscard]] std::uint64_t short_ones() const noexcept { return short_ones_; }

 private:
  explicit GolombDivisor(unsigned code) noexcept;

  unsigned code_;
  unsigned width_;
  std::uint64_t value_;
  std::uint64_t short_ones_;
};

// Appends gaps to a vector of bytes.
class GapWriter {
 public:
  // Starts with the divisor's byte.
  GapWriter(GolombDivisor divisor, std::vector<std::byte>& out);

  void put(std::uint64_t gap) {
    if (gap < short_codes_) {
      put_bits(codes_[gap].bits, codes_[gap].length);
    } else {
      put_long(gap);
    }
  }
  // Fills the last byte. Call it once, at the end.
  void finish();

 private:
  struct Code {
    std::uint64_t bits = 0;
    unsigned length = 0;
  };

  // Requires bits below 2^count, and count below 64.
  void put_bits(std::uint64_t bits, unsigned count) {
    if (count < 64 - pending_bits_) {
      pending_ |= bits << pending_bits_;
      pending_bits_ += count;
    } else {
      fill_word(bits, count);
    }
  }
  void fill_word(std::uint64_t bits, unsigned count);
  void put_long(std::uint64_t gap);
  [[nodiscard]] Code code_of_rest(std::uint64_t rest) const noexcept;

  GolombDivisor divisor_;
  std::vector<std::byte>* out_;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;
  // The whole codes of the first gaps, which are most of those of a dense set.
  std::array<Code, 32> codes_;
  std::size_t short_codes_ = 0;
};

// Reads them back, from bytes that may be anything.
class GapReader {
 public:
  // What is left of `bytes` after the divisor's byte.
  GapReader(GolombDivisor divisor, std::span<const std::byte> bytes) noexcept
      : divisor_(divisor), bytes_(bytes) {}

  enum class Status : std::uint8_t { kGap, kEnd, kDamaged };
  // A gap of at most `limit` into `gap`; or the end; or neither.
  [[nodiscard]] Status next(std::uint64_t limit, std::uint64_t& gap) noexcept {
    // Most gaps lie within one word, which is read at once where there is one.
    if (bytes_.size() - at_ / 8 >= sizeof(std::uint64_t)) {
      constexpr unsigned kSureBits = 57;  // up to seven are past
      const std::uint64_t word = load_le<std::uint64_t>(bytes_.data() + at_ / 8) >> (at_ % 8);
      const auto ones = static_cast<unsigned>(std::countr_one(word));
      if (ones + 1 + divisor_.width() <= kSureBits) return next_within(word, ones, limit, gap);
    }
    // On copies, so that a loop of calls keeps the place and the gap in registers.
    GapReader copy = *this;
    std::uint64_t found = 0;
    const Status status = copy.next_checked(limit, found);
    at_ = copy.at_;
    gap = found;
    return status;
  }

 private:
  Status next_within(std::uint64_t word, unsigned ones, std::uint64_t limit,
                     std::uint64_t& gap) noexcept {
    unsigned length = ones + 1;
    std::uint64_t rest = 0;
    if (const unsigned width = divisor_.width(); width > 0) {
      word >>= length;
      rest = word & ((std::uint64_t{1} << (width - 1)) - 1);
      // Without a branch: nobody can guess which of the two it is.
      const unsigned is_long = rest >= divisor_.short_ones() ? 1 : 0;
      rest += is_long * (rest + (word >> (width - 1) & 1U) - divisor_.short_ones());
      length += width - 1 + is_long;
    }
    gap = ones * divisor_.value() + rest;
    if (gap > limit) return Status::kDamaged;
    at_ += length;
    return Status::kGap;
  }

  [[nodiscard]] Status next_checked(std::uint64_t limit, std::uint64_t& gap) noexcept;
  [[nodiscard]] std::uint64_t bits_left() const noexcept { return bytes_.size() * 8 - at_; }
  // The bits from at_ on, at least 56 of them, or all that are left; zero after those.
  [[nodiscard]] std::uint64_t window() const noexcept;
  [[nodiscard]] bool take_bits(unsigned count, std::uint64_t& bits) noexcept;
  [[nodiscard]] Status take_quotient(std::uint64_t most, std::uint64_t& quotient) noexcept;

  GolombDivisor divisor_;
  std::span<const std::byte> bytes_;
  std::uint64_t at_ = 0;  // in bits
};

}  // namespace bloomery
