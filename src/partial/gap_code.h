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

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

  void put(std::uint64_t gap);
  // Fills the last byte. Call it once, at the end.
  void finish();

 private:
  void put_bits(std::uint64_t bits, unsigned count);

  GolombDivisor divisor_;
  std::vector<std::byte>* out_;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;
};

// Reads them back, from bytes that may be anything.
class GapReader {
 public:
  // What is left of `bytes` after the divisor's byte.
  GapReader(GolombDivisor divisor, std::span<const std::byte> bytes) noexcept
      : divisor_(divisor), bytes_(bytes) {}

  enum class Status : std::uint8_t { kGap, kEnd, kDamaged };
  // A gap of at most `limit` into `gap`; or the end; or neither.
  [[nodiscard]] Status next(std::uint64_t limit, std::uint64_t& gap) noexcept;

 private:
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
