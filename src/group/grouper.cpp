#include "group/grouper.h"

#include <algorithm>

#include "base/error.h"

namespace bloomery {
namespace {

// The digits after a point, by value. Ascending.
enum class Fraction : std::uint8_t { kNone, kZero, kBelowHalf, kHalf, kAboveHalf };

bool is_decimal_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

Fraction fraction_of(std::string_view digits) noexcept {
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_decimal_digit))
    return Fraction::kNone;
  const bool has_more = digits.find_first_not_of('0', 1) != std::string_view::npos;
  if (digits[0] > '5' || (digits[0] == '5' && has_more)) return Fraction::kAboveHalf;
  if (digits[0] == '5') return Fraction::kHalf;
  return digits[0] == '0' && !has_more ? Fraction::kZero : Fraction::kBelowHalf;
}

}  // namespace

Result<void> check_group_count(std::uint64_t groups, std::uint64_t max_groups) {
  if (groups <= max_groups) return {};
  return make_error(ErrorCode::kResource,
                    "more than {} groups; group by a column with fewer values, or raise "
                    "--max-groups",
                    max_groups);
}

Grouper::Grouper(const Recipe& recipe, std::uint64_t max_groups)
    : groups_(max_groups),
      kind_(recipe.group.kind),
      is_round_(kind_ == GroupExpr::Kind::kRound),
      rounds_up_from_(is_round_ ? 5 : 10),
      has_range_(recipe.range.has_value()),
      prefix_(recipe.group.prefix) {
  if (recipe.range) {
    range_low_ = recipe.range->low;
    range_high_ = recipe.range->high;
  }
  if (recipe.group.is_whole_number()) table_by_value_.assign(2 * kByValue + 1, kUnknown);
}

// One pass over at most four digits before the point; anything else is left to from_text().
std::uint32_t Grouper::any_whole_number(std::string_view field) {
  const bool is_negative = field.starts_with('-');
  const std::size_t first = is_negative ? 1 : 0;
  std::size_t i = first;
  std::int32_t value = 0;
  for (; i < field.size() && i < first + 4 && is_decimal_digit(field[i]); ++i) {
    value = value * 10 + (field[i] - '0');
  }
  if (i == first) return kNotNumber;
  Fraction fraction = Fraction::kZero;
  if (i < field.size()) {
    if (field[i] != '.') return from_text(field);
    fraction = fraction_of(field.substr(i + 1));
    if (fraction == Fraction::kNone) return kNotNumber;
  }
  // Away from zero: up for what is positive, down for what is negative.
  const Fraction round_from = is_negative ? Fraction::kAboveHalf : Fraction::kHalf;
  const bool is_away =
      is_round_ ? fraction >= round_from : is_negative && fraction != Fraction::kZero;
  value += is_away ? 1 : 0;
  return by_value(is_negative ? -value : value, field);
}

std::uint32_t Grouper::from_text(std::string_view field) {
  const auto number = parse_decimal(field);
  if (!number) return kNotNumber;
  const std::string name = is_round_ ? round_half_up(*number) : round_down(*number);
  if (!is_in_range(*parse_decimal(name))) return kOutOfRange;
  if (name.size() > kMaxGroupNameBytes) return kNameTooLong;
  return groups_.index_of(name);
}

std::uint32_t Grouper::named(std::string_view field) {
  if (kind_ == GroupExpr::Kind::kPrefix) field = field.substr(0, prefix_);
  if (has_range_) {
    const auto number = parse_decimal(field);
    if (!number) return kNotNumber;
    if (!is_in_range(*number)) return kOutOfRange;
  }
  if (field.size() > kMaxGroupNameBytes) return kNameTooLong;
  return groups_.index_of(field);
}

bool Grouper::is_in_range(const Decimal& number) const noexcept {
  if (!has_range_) return true;
  return number >= *parse_decimal(range_low_) && number <= *parse_decimal(range_high_);
}

}  // namespace bloomery
