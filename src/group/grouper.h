// A field to the index of its group.
//
//   takes   the group expression, its range, and one field a record
//   gives   an index into a GroupTable
//
// Whole numbers of up to four digits, the usual result of round() and floor(), find their group in
// a table by value: no text is made for them but the first time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "group/decimal.h"
#include "group/group_table.h"
#include "group/recipe.h"

namespace bloomery {

class Grouper {
 public:
  // In place of an index.
  static constexpr std::uint32_t kTooMany = GroupTable::kFull;
  static constexpr std::uint32_t kNotNumber = UINT32_MAX - 1;
  static constexpr std::uint32_t kOutOfRange = UINT32_MAX - 2;
  static constexpr std::uint32_t kNameTooLong = UINT32_MAX - 3;
  [[nodiscard]] static bool is_index(std::uint32_t result) noexcept {
    return result < kNameTooLong;
  }

  Grouper(const Recipe& recipe, std::uint64_t max_groups);

  // The group of a field that is not missing. Requires that the recipe has a group column.
  [[nodiscard]] std::uint32_t index_of(std::string_view field) {
    if (!table_by_value_.empty()) return whole_number(field);
    return named(field);
  }
  // The one group of a recipe without a group column.
  [[nodiscard]] std::uint32_t only_group() { return groups_.index_of(kOnlyGroup); }

  [[nodiscard]] const GroupTable& groups() const noexcept { return groups_; }

 private:
  static constexpr std::int32_t kByValue =
      10'000;  // values from -9,999 to 9,999 and what they round to
  static constexpr std::uint32_t kUnknown = UINT32_MAX - 4;

  [[nodiscard]] std::uint32_t whole_number(std::string_view field) {
    // "8.5": the shape of a rating.
    if (field.size() == 3 && field[1] == '.') {
      const auto whole = static_cast<std::uint8_t>(field[0] - '0');
      const auto tenth = static_cast<std::uint8_t>(field[2] - '0');
      // Added, not branched on: whether a rating rounds up is a coin toss.
      const auto up = static_cast<std::int32_t>(tenth >= rounds_up_from_);
      if (whole < 10 && tenth < 10) return by_value(whole + up, field);
    }
    return any_whole_number(field);
  }
  [[nodiscard]] std::uint32_t by_value(std::int32_t value, std::string_view field) {
    std::uint32_t& known = table_by_value_[static_cast<std::uint32_t>(value + kByValue)];
    if (known == kUnknown) known = from_text(field);
    return known;
  }
  [[nodiscard]] std::uint32_t any_whole_number(std::string_view field);
  [[nodiscard]] std::uint32_t from_text(std::string_view field);
  [[nodiscard]] std::uint32_t named(std::string_view field);
  [[nodiscard]] bool is_in_range(const Decimal& number) const noexcept;

  GroupTable groups_;
  GroupExpr::Kind kind_;
  bool is_round_;
  std::uint8_t rounds_up_from_;  // tenths; 10 for floor()
  bool has_range_;
  std::uint32_t prefix_;
  std::string range_low_;
  std::string range_high_;
  std::vector<std::uint32_t> table_by_value_;  // empty unless groups are whole numbers
};

}  // namespace bloomery
