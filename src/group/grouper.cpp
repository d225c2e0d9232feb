#include "group/grouper.h"

namespace bloomery {

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

// One pass over at most four digits before the point and all after it; anything else is left to
// from_text().
std::uint32_t Grouper::any_whole_number(std::string_view field) {
  std::size_t i = 0;
  const bool is_negative = field.starts_with('-');
  if (is_negative) ++i;
  const std::size_t first = i;
  std::int32_t value = 0;
  while (i < field.size() && i < first + 4 && field[i] >= '0' && field[i] <= '9') {
    value = value * 10 + (field[i] - '0');
    ++i;
  }
  if (i == first) return kNotNumber;
  bool is_half = false;   // exactly a half after the point
  bool is_above = false;  // more than a half
  bool is_whole = true;
  if (i < field.size()) {
    if (field[i] != '.' || i + 1 == field.size()) return from_text(field);
    const char tenth = field[++i];
    for (std::size_t rest = i; rest < field.size(); ++rest) {
      if (field[rest] < '0' || field[rest] > '9') return kNotNumber;
      is_whole = is_whole && field[rest] == '0';
      is_above = is_above || (rest > i && tenth == '5' && field[rest] != '0');
    }
    is_above = is_above || tenth > '5';
    is_half = tenth == '5' && !is_above;
  }
  const bool is_away = is_round_ ? is_above || (is_half && !is_negative) : is_negative && !is_whole;
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
