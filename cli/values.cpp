#include "cli/values.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.h"

namespace bloomery::cli {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

// value * multiplier, as a whole number and what is left over.
struct Scaled {
  std::uint64_t whole = 0;
  bool is_exact = true;
  bool is_too_large = false;
};

// 10^exponent, which is the text after an e; nothing for what is no exponent.
std::optional<Wide> power_of_ten(std::string_view exponent) {
  unsigned number = 0;
  const char* const end = exponent.data() + exponent.size();
  const auto [rest, error] = std::from_chars(exponent.data(), end, number);
  if (error != std::errc{} || rest != end) return std::nullopt;
  Wide power = 1;
  for (unsigned i = 0; i < number && power <= kMax; ++i) power *= 10;
  return power;
}

struct Decimal {
  Wide value = 0;  // times the divisor
  Wide divisor = 1;
  bool is_too_large = false;
};

// Digits with an optional fraction.
std::optional<Decimal> read_decimal(std::string_view digits) {
  Decimal decimal;
  bool is_fraction = false;
  bool has_digit = false;
  for (const char c : digits) {
    if (c == '_') continue;
    if (c == '.' && !is_fraction) {
      is_fraction = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    has_digit = true;
    if (is_fraction && decimal.divisor > kMax / 10) continue;  // more than any multiplier has
    if (decimal.is_too_large) continue;
    decimal.value = decimal.value * 10 + static_cast<unsigned>(c - '0');
    if (is_fraction) decimal.divisor *= 10;
    decimal.is_too_large = decimal.value > Wide{kMax} * decimal.divisor;
  }
  if (!has_digit) return std::nullopt;
  return decimal;
}

// Digits with an optional fraction and an optional exponent, scaled by `multiplier` without any
// rounding on the way.
std::optional<Scaled> scale(std::string_view text, Wide multiplier) {
  const std::string_view digits = text.substr(0, text.find_first_of("eE"));
  if (digits.size() < text.size()) {
    const auto power = power_of_ten(text.substr(digits.size() + 1));
    if (!power) return std::nullopt;
    multiplier *= *power;
  }
  const auto decimal = read_decimal(digits);
  if (!decimal) return std::nullopt;
  const auto& [value, divisor, is_too_large] = *decimal;
  if (is_too_large || (value > 0 && multiplier > (~Wide{0}) / value)) return Scaled{0, true, true};
  const Wide scaled = value * multiplier;
  if (scaled / divisor > kMax) return Scaled{0, true, true};
  return Scaled{static_cast<std::uint64_t>(scaled / divisor), scaled % divisor == 0};
}

// The number at the start, and the unit after it.
std::pair<std::string_view, std::string_view> cut_unit(std::string_view text) {
  const std::size_t end = text.find_last_of("0123456789._");
  const std::size_t length = end == std::string_view::npos ? 0 : end + 1;
  return {text.substr(0, length), text.substr(length)};
}

std::optional<std::uint64_t> unit_of(std::string_view unit, std::string_view suffix,
                                     std::uint64_t base) {
  std::uint64_t value = 1;
  for (const char letter : std::string_view("KMGT")) {
    value *= base;
    const bool is_letter = !unit.empty() && (unit[0] == letter || unit[0] == letter + ('a' - 'A'));
    if (is_letter && unit.substr(1) == suffix) return value;
  }
  return std::nullopt;
}

// A double from digits and a power of ten, rounded once: "1" with "e-2" is the same as "0.01".
std::optional<double> to_double(std::string_view digits, std::string_view exponent) {
  const std::string text = std::string(digits) + std::string(exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> share_of(std::string_view text) {
  constexpr std::string_view kIn = "1-in-";
  if (text.starts_with(kIn)) {
    const auto count = parse_count(text.substr(kIn.size()));
    if (!count || *count == 0) return std::nullopt;
    return 1.0 / static_cast<double>(*count);
  }
  if (text.ends_with('%')) {
    const std::string_view digits = text.substr(0, text.size() - 1);
    if (digits.find_first_of("eE") != std::string_view::npos) return std::nullopt;
    return to_double(digits, "e-2");
  }
  return to_double(text, "");
}

Error too_large() {
  return make_error(ErrorCode::kInvalidArgument, "is too large; must be below 2^64");
}

}  // namespace

Result<std::uint64_t> parse_count(std::string_view text) {
  const auto [digits, unit] = cut_unit(text);
  const auto multiplier = unit.empty() ? std::uint64_t{1} : unit_of(unit, "", 1000);
  const auto value = multiplier ? scale(digits, *multiplier) : std::nullopt;
  if (!value || !value->is_exact) {
    return make_error(ErrorCode::kInvalidArgument,
                      "must be a whole number, such as 1000, 50K or 1.6M");
  }
  if (value->is_too_large) return too_large();
  return value->whole;
}

Result<std::uint64_t> parse_size(std::string_view text) {
  const auto [digits, unit] = cut_unit(text);
  std::optional<std::uint64_t> multiplier;
  if (unit.empty() || unit == "B") multiplier = 1;
  if (!multiplier) multiplier = unit_of(unit, "", 1024);
  if (!multiplier) multiplier = unit_of(unit, "iB", 1024);
  if (!multiplier) multiplier = unit_of(unit, "B", 1000);
  const auto value = multiplier ? scale(digits, *multiplier) : std::nullopt;
  if (!value) {
    return make_error(ErrorCode::kInvalidArgument,
                      "must be a number of bytes, such as 4096, 64KiB, 1.5G or 2MB");
  }
  if (value->is_too_large) return too_large();
  return value->whole;
}

Result<double> parse_rate(std::string_view text) {
  const auto rate = share_of(text);
  if (!rate) {
    return make_error(ErrorCode::kInvalidArgument, "must be a rate, such as 0.01, 1% or 1-in-100");
  }
  if (!(*rate > 0 && *rate < 1) || !std::isnormal(*rate)) {
    return make_error(ErrorCode::kInvalidArgument, "must be above 0 and below 1");
  }
  return *rate;
}

Result<double> parse_share(std::string_view text) {
  const auto share = share_of(text);
  if (!share || !(*share >= 0 && *share <= 1)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "must be a share from 0 to 1, such as 0.001, 0.1% or 1-in-1000");
  }
  return *share;
}

Take into(std::string& to) {
  return [&to](const std::string& text) -> Result<void> {
    to = text;
    return {};
  };
}

Take into(bool& to) {
  return [&to](const std::string&) -> Result<void> {
    to = true;
    return {};
  };
}

Take into(std::vector<std::string>& to) {
  return [&to](const std::string& text) -> Result<void> {
    to.push_back(text);
    return {};
  };
}

Take into_count(std::uint64_t& to, std::uint64_t min, std::uint64_t max) {
  return [&to, min, max](const std::string& text) -> Result<void> {
    const auto count = parse_count(text);
    if (!count) return count.error();
    if (*count < min || *count > max) {
      return max == UINT64_MAX
                 ? make_error(ErrorCode::kInvalidArgument, "must be at least {}", min)
                 : make_error(ErrorCode::kInvalidArgument, "must be from {} to {}", min, max);
    }
    to = *count;
    return {};
  };
}

}  // namespace bloomery::cli
