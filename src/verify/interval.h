// How sure a measured rate is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bloomery {

struct Interval {
  double low = 0;
  double high = 1;
};

// The quantile of the normal distribution that leaves 5 % outside of the intervals of `intervals`
// measurements together: 1.96 for one, 2.81 for ten. Requires intervals > 0.
[[nodiscard]] double normal_quantile(std::size_t intervals) noexcept;

// The interval after Wilson, of 95 % unless `quantile` says otherwise, of a rate of which
// `successes` in `trials` were seen. Unlike the textbook's +- 2 s it stays within 0 and 1 and is
// right for rare events, down to none seen. Without trials everything is possible: 0 to 1. Requires
// 0 <= successes <= trials.
[[nodiscard]] Interval wilson_interval(double successes, double trials,
                                       double quantile = normal_quantile(1)) noexcept;

// The rate that `successes` in `trials` show to be exceeded, so that 95 % of `intervals` such
// statements are true together. Of up to a thousand successes it is exact for rare events: the rate
// at which so many or more come by chance, once in 40 times `intervals`. Wilson's lower end, which
// two accidents push up, is taken beyond. Requires 0 <= successes <= trials and intervals > 0.
[[nodiscard]] double sure_low(double successes, double trials, std::size_t intervals) noexcept;

// The trials that a rate of `rate` takes to be known to within a share of itself: 0.05 for 5 %. The
// largest number where it takes more than 64 bits. Requires 0 < rate < 1 and share > 0.
[[nodiscard]] std::uint64_t trials_to_show(double rate, double share) noexcept;

}  // namespace bloomery
