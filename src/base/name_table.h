// Names of the values of an enumeration, written once and read both ways.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace bloomery {

template <typename Enum, std::size_t Size>
struct NameTable {
  std::array<std::pair<Enum, std::string_view>, Size> rows;

  // "unknown" for a number that is no value of the enumeration.
  [[nodiscard]] constexpr std::string_view name(Enum value) const noexcept {
    for (const auto& row : rows) {
      if (row.first == value) return row.second;
    }
    return "unknown";
  }

  [[nodiscard]] constexpr std::optional<Enum> value(std::string_view name) const noexcept {
    for (const auto& row : rows) {
      if (row.second == name) return row.first;
    }
    return std::nullopt;
  }
};

}  // namespace bloomery
