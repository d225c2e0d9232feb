#include "base/rate_digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace bloomery {

// Neither of the two calls looks at the locale, which std::stod() would.
double in_five_digits(double rate) {
  const std::string text = fmt::format("{:.4e}", std::clamp(rate, 1e-300, 0.9999));
  double rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

}  // namespace bloomery
