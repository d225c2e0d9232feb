#include "verify/interval.h"

#include <algorithm>
#include <cmath>

namespace bloomery {
namespace {

constexpr double kManySuccesses = 1000;

// How likely `count` events or more are where `mean` are expected: the incomplete gamma function,
// by its series, which is short as long as mean <= count.
double poisson_tail(double count, double mean) noexcept {
  int sign = 0;  // std::lgamma() would leave it where all threads write
  double term = std::exp(count * std::log(mean) - mean - ::lgamma_r(count + 1, &sign));
  double sum = term;
  for (double n = 1; term > sum * 1e-16; ++n) {
    term *= mean / (count + n);
    sum += term;
  }
  return sum;
}

}  // namespace

double normal_quantile(std::size_t intervals) noexcept {
  const double outside = 0.05 / static_cast<double>(intervals);
  double low = 0;
  double high = 40;  // beyond what a double can tell from certainty
  while (true) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return high;
    (std::erfc(middle / std::sqrt(2.0)) > outside ? low : high) = middle;
  }
}

Interval wilson_interval(double successes, double trials, double quantile) noexcept {
  if (trials <= 0) return {};
  const double rate = successes / trials;
  const double z2 = quantile * quantile;
  const double scale = 1 / (1 + z2 / trials);
  const double center = rate + z2 / (2 * trials);
  const double half = quantile * std::sqrt(rate * (1 - rate) / trials + z2 / (4 * trials * trials));
  // At the ends the formula gives 0 and 1, and rounding must not move them.
  return {successes <= 0 ? 0 : std::max(0.0, (center - half) * scale),
          successes >= trials ? 1 : std::min(1.0, (center + half) * scale)};
}

double sure_low(double successes, double trials, std::size_t intervals) noexcept {
  if (successes <= 0 || trials <= 0) return 0;
  if (successes > kManySuccesses) {
    return wilson_interval(successes, trials, normal_quantile(intervals)).low;
  }
  const double outside = 0.025 / static_cast<double>(intervals);
  double low = 0;
  double high = successes;
  while (true) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return low / trials;
    (poisson_tail(successes, middle) < outside ? low : high) = middle;
  }
}

std::uint64_t trials_to_show(double rate, double share) noexcept {
  const double z = normal_quantile(1);
  const double trials = std::ceil(z * z * (1 - rate) / (rate * share * share));
  return trials < 0x1p64 ? static_cast<std::uint64_t>(trials) : UINT64_MAX;
}

}  // namespace bloomery
