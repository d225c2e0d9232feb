// Sums and products of 64-bit sizes that cannot wrap unnoticed.
#pragma once

#include <cstdint>

namespace bloomery {

// A size that remembers that it was too large for 64 bits. For numbers that come from a file.
class CheckedSize {
 public:
  constexpr explicit CheckedSize(std::uint64_t value) noexcept : value_(value) {}

  constexpr CheckedSize& operator+=(std::uint64_t other) noexcept {
    is_valid_ = !__builtin_add_overflow(value_, other, &value_) && is_valid_;
    return *this;
  }
  constexpr CheckedSize& add_product(std::uint64_t a, std::uint64_t b) noexcept {
    std::uint64_t product = 0;
    is_valid_ = !__builtin_mul_overflow(a, b, &product) && is_valid_;
    return *this += product;
  }
  // Up to the next multiple of `unit`, a power of two.
  constexpr CheckedSize& round_up(std::uint64_t unit) noexcept {
    return *this += (unit - value_ % unit) % unit;
  }

  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return value_; }
  [[nodiscard]] constexpr bool is_valid() const noexcept { return is_valid_; }

 private:
  std::uint64_t value_;
  bool is_valid_ = true;
};

}  // namespace bloomery
