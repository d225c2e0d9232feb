// Decimal numbers as the text they are written in, so that no machine and no engine rounds
// differently.
//
// The grammar: an optional minus, digits, and optionally a point and digits. Exponents, plus signs,
// spaces and NaN are not numbers here.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery {

// Views into the text it was parsed from.
struct Decimal {
  bool is_negative = false;   // never for zero
  std::string_view whole;     // without leading zeros; "0" when nothing else is left
  std::string_view fraction;  // without trailing zeros
};

[[nodiscard]] std::optional<Decimal> parse_decimal(std::string_view text) noexcept;

[[nodiscard]] std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) noexcept;

// The nearest whole number; half goes up, towards plus infinity: 8.5 to 9, -0.5 to 0.
[[nodiscard]] std::string round_half_up(const Decimal& number);
// The largest whole number that is not above: -0.5 to -1.
[[nodiscard]] std::string round_down(const Decimal& number);

}  // namespace bloomery
