#include "cli/output/numbers.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace bloomery::cli {

std::uint64_t nearest(double number) {
  return static_cast<std::uint64_t>(std::round(number));
}

std::string grouped(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string short_number(double number) {
  return fmt::format("{:.4g}", number);
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} bytes", grouped(bytes));
  constexpr std::array<std::string_view, 6> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

std::string percent(double share) {
  return fmt::format("{:.4g} %", share * 100);
}

std::string duration(double seconds) {
  if (seconds < 0.0995) return fmt::format("{:.0f} ms", std::ceil(seconds * 1000));
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const std::uint64_t whole = nearest(seconds);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace bloomery::cli
