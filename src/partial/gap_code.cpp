#include "partial/gap_code.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/endian.h"

namespace bloomery {
namespace {

constexpr unsigned kMaxExponent = 61;
constexpr unsigned kMaxCode = 4 * kMaxExponent + 3;

std::uint64_t divisor_of(unsigned code) {
  return (std::uint64_t{4 + code % 4} << (code / 4)) >> 2U;
}

std::uint64_t low_bits(unsigned count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

// The first code whose divisor is at least `wanted`.
unsigned code_at_least(double wanted) {
  unsigned code = 0;
  while (code < kMaxCode && static_cast<double>(divisor_of(code)) < wanted) ++code;
  return code;
}

}  // namespace

GolombDivisor::GolombDivisor(unsigned code) noexcept
    : code_(code),
      width_(static_cast<unsigned>(std::bit_width(divisor_of(code) - 1))),
      value_(divisor_of(code)),
      short_ones_(low_bits(width_) - value_ + 1) {}

GolombDivisor GolombDivisor::for_gaps(double range, std::uint64_t count) noexcept {
  if (count <= 1) return GolombDivisor(code_at_least(range + 1));
  // Half of the gaps of a random set are below the best divisor.
  const double best = 0.6931471805599453 / std::log1p(static_cast<double>(count) / range);
  const unsigned above = code_at_least(best);
  if (above == 0) return GolombDivisor(0);
  // Of the two neighbours the one that is nearer as a ratio.
  const auto low = static_cast<double>(divisor_of(above - 1));
  const auto high = static_cast<double>(divisor_of(above));
  return GolombDivisor(best * best < low * high ? above - 1 : above);
}

std::optional<GolombDivisor> GolombDivisor::from_byte(std::byte byte) noexcept {
  const auto code = std::to_integer<unsigned>(byte);
  if (code > kMaxCode) return std::nullopt;
  return GolombDivisor(code);
}

GapWriter::GapWriter(GolombDivisor divisor, std::vector<std::byte>& out)
    : divisor_(divisor), out_(&out) {
  out.push_back(divisor.byte());
  for (; short_codes_ < codes_.size(); ++short_codes_) {
    const std::uint64_t ones = short_codes_ / divisor_.value();
    const Code rest = code_of_rest(short_codes_ % divisor_.value());
    if (ones + 1 + rest.length > 56) break;
    const auto from = static_cast<unsigned>(ones + 1);
    codes_[short_codes_] = {low_bits(from - 1) | rest.bits << from, from + rest.length};
  }
}

void GapWriter::fill_word(std::uint64_t bits, unsigned count) {
  const unsigned room = 64 - pending_bits_;
  pending_ |= (bits & low_bits(room)) << pending_bits_;
  const std::size_t end = out_->size();
  out_->resize(end + sizeof pending_);
  store_le(out_->data() + end, pending_);
  pending_ = room == 64 ? 0 : bits >> room;
  pending_bits_ = count - room;
}

void GapWriter::put_long(std::uint64_t gap) {
  std::uint64_t quotient = gap / divisor_.value();
  for (; quotient >= 63; quotient -= 63) put_bits(low_bits(63), 63);
  const auto ones = static_cast<unsigned>(quotient);
  put_bits(low_bits(ones), ones + 1);
  const Code rest = code_of_rest(gap % divisor_.value());
  put_bits(rest.bits, rest.length);
}

GapWriter::Code GapWriter::code_of_rest(std::uint64_t rest) const noexcept {
  if (divisor_.width() == 0) return {};
  const unsigned upper = divisor_.width() - 1;
  if (rest < divisor_.short_ones()) return {rest, upper};
  // Upper bits first, so that the reader knows before the last one whether there is one.
  const std::uint64_t shifted = rest + divisor_.short_ones();
  return {shifted >> 1U | (shifted & 1U) << upper, upper + 1};
}

void GapWriter::finish() {
  const unsigned used = (pending_bits_ + 7) / 8;
  pending_ |= low_bits(64) & ~low_bits(pending_bits_);
  const std::size_t end = out_->size();
  out_->resize(end + used);
  std::memcpy(out_->data() + end, &pending_, used);
}

std::uint64_t GapReader::window() const noexcept {
  const std::size_t first = at_ / 8;
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes_.data() + first, std::min(sizeof bits, bytes_.size() - first));
  return bits >> (at_ % 8);
}

bool GapReader::take_bits(unsigned count, std::uint64_t& bits) noexcept {
  if (bits_left() < count) return false;
  bits = 0;
  for (unsigned taken = 0; taken < count;) {
    const unsigned now = std::min(count - taken, 56U);
    bits |= (window() & low_bits(now)) << taken;
    taken += now;
    at_ += now;
  }
  return true;
}

GapReader::Status GapReader::take_quotient(std::uint64_t most, std::uint64_t& quotient) noexcept {
  quotient = 0;
  while (bits_left() > 0) {
    const auto there = static_cast<unsigned>(std::min<std::uint64_t>(56, bits_left()));
    const auto ones = static_cast<unsigned>(std::countr_one(window() & low_bits(there)));
    quotient += ones;
    at_ += ones;
    if (ones < there) {
      ++at_;
      return quotient <= most ? Status::kGap : Status::kDamaged;
    }
  }
  return quotient < 8 ? Status::kEnd : Status::kDamaged;
}

GapReader::Status GapReader::next_checked(std::uint64_t limit, std::uint64_t& gap) noexcept {
  std::uint64_t quotient = 0;
  const Status status = take_quotient(limit / divisor_.value(), quotient);
  if (status != Status::kGap) return status;
  std::uint64_t rest = 0;
  if (divisor_.width() > 0) {
    if (!take_bits(divisor_.width() - 1, rest)) return Status::kDamaged;
    if (rest >= divisor_.short_ones()) {
      std::uint64_t last = 0;
      if (!take_bits(1, last)) return Status::kDamaged;
      rest = 2 * rest + last - divisor_.short_ones();
    }
  }
  // The quotient is at most limit / d, so the product is at most the limit.
  const std::uint64_t whole = quotient * divisor_.value();
  if (rest > limit - whole) return Status::kDamaged;
  gap = whole + rest;
  return Status::kGap;
}

}  // namespace bloomery
