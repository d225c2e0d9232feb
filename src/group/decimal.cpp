#include "group/decimal.h"

#include <algorithm>
#include <compare>

namespace bloomery {
namespace {

bool is_digits(std::string_view text) noexcept {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The digits with one added, or as they are; with a minus in front unless that would be "-0".
std::string whole_text(const Decimal& number, bool adds_one) {
  std::string digits(number.whole);
  if (adds_one) {
    auto digit = digits.rbegin();
    for (; digit != digits.rend() && *digit == '9'; ++digit) *digit = '0';
    if (digit == digits.rend()) {
      digits.insert(digits.begin(), '1');
    } else {
      ++*digit;
    }
  }
  return number.is_negative && digits != "0" ? "-" + digits : digits;
}

std::strong_ordering compare_magnitudes(const Decimal& a, const Decimal& b) noexcept {
  if (const auto lengths = a.whole.size() <=> b.whole.size(); std::is_neq(lengths)) return lengths;
  if (const auto wholes = a.whole <=> b.whole; std::is_neq(wholes)) return wholes;
  return a.fraction <=> b.fraction;
}

}  // namespace

std::optional<Decimal> parse_decimal(std::string_view text) noexcept {
  Decimal number;
  number.is_negative = text.starts_with('-');
  if (number.is_negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  number.whole = text.substr(0, point);
  if (!is_digits(number.whole)) return std::nullopt;
  if (point != std::string_view::npos) {
    number.fraction = text.substr(point + 1);
    if (!is_digits(number.fraction)) return std::nullopt;
    number.fraction = number.fraction.substr(0, number.fraction.find_last_not_of('0') + 1);
  }
  const std::size_t first = std::min(number.whole.find_first_not_of('0'), number.whole.size() - 1);
  number.whole.remove_prefix(first);
  if (number.whole == "0" && number.fraction.empty()) number.is_negative = false;
  return number;
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) noexcept {
  if (a.is_negative != b.is_negative) {
    return a.is_negative ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  return a.is_negative ? compare_magnitudes(b, a) : compare_magnitudes(a, b);
}

std::string round_half_up(const Decimal& number) {
  // The fraction has no trailing zeros, so exactly a half is "5".
  const bool is_away = number.is_negative ? number.fraction > "5" : number.fraction >= "5";
  return whole_text(number, is_away);
}

std::string round_down(const Decimal& number) {
  return whole_text(number, number.is_negative && !number.fraction.empty());
}

}  // namespace bloomery
