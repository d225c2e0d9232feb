#include "verify/interval.h"

#include <algorithm>
#include <cmath>

namespace bloomery {
namespace {

// Two-sided, 95 %: the 0.975 quantile of the normal distribution.
constexpr double kZ = 1.959963984540054;

}  // namespace

Interval wilson_interval(double successes, double trials) noexcept {
  if (trials <= 0) return {};
  const double rate = successes / trials;
  const double z2 = kZ * kZ;
  const double scale = 1 / (1 + z2 / trials);
  const double center = rate + z2 / (2 * trials);
  const double half = kZ * std::sqrt(rate * (1 - rate) / trials + z2 / (4 * trials * trials));
  // At the ends the formula gives 0 and 1, and rounding must not move them.
  return {successes <= 0 ? 0 : std::max(0.0, (center - half) * scale),
          successes >= trials ? 1 : std::min(1.0, (center + half) * scale)};
}

std::uint64_t trials_to_show(double rate, double share) noexcept {
  const double trials = std::ceil(kZ * kZ * (1 - rate) / (rate * share * share));
  return trials < 0x1p64 ? static_cast<std::uint64_t>(trials) : UINT64_MAX;
}

}  // namespace bloomery
