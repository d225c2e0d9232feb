#include "verify/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace bloomery {
namespace {

struct Known {
  double successes, trials, low, high;
};

// Computed from the formula with forty digits. 81 of 263 and 15 of 148 are also the examples of
// Newcombe, Statistics in Medicine 17 (1998), who gives four digits.
TEST(WilsonInterval, GivesKnownValues) {
  for (const Known& known :
       {Known{0, 10, 0, 0.27753279986288926},
        Known{1, 10, 0.017876213095072903, 0.40415002679523848},
        Known{5, 10, 0.23659309051256397, 0.76340690948743606},
        Known{10, 10, 0.72246720013711074, 1},
        Known{15, 148, 0.062386399530736276, 0.16048724172330803},
        Known{81, 263, 0.25528851987827422, 0.36620957698280004},
        Known{3, 1000, 0.0010207838811386188, 0.0087830140535031746},
        Known{10042, 1000000, 0.0098484545489955135, 0.010239309743505851},
        Known{0, 1254184, 0, 3.0629054864906808e-06},
        Known{1, 1000000000, 1.7652455495696314e-10, 5.6649342432974394e-09}}) {
    const Interval interval = wilson_interval(known.successes, known.trials);
    EXPECT_NEAR(interval.low, known.low, 1e-13) << known.successes << " of " << known.trials;
    EXPECT_NEAR(interval.high, known.high, 1e-13) << known.successes << " of " << known.trials;
  }
}

TEST(WilsonInterval, EndsExactlyAtZeroAndOne) {
  for (const double trials : {1.0, 7.0, 1e6, 1e15}) {
    EXPECT_EQ(wilson_interval(0, trials).low, 0) << trials;
    EXPECT_EQ(wilson_interval(trials, trials).high, 1) << trials;
  }
}

TEST(WilsonInterval, KnowsNothingWithoutTrials) {
  EXPECT_EQ(wilson_interval(0, 0).low, 0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

TEST(WilsonInterval, IsSymmetric) {
  for (const double successes : {0.0, 1.0, 17.0, 400.0}) {
    const Interval interval = wilson_interval(successes, 1000);
    const Interval mirrored = wilson_interval(1000 - successes, 1000);
    EXPECT_NEAR(interval.low, 1 - mirrored.high, 1e-14);
    EXPECT_NEAR(interval.high, 1 - mirrored.low, 1e-14);
  }
}

// The exact limits of a Poisson mean, as tables have them.
TEST(SureLow, GivesKnownValues) {
  for (const auto& [seen, mean] : {std::pair(1.0, 0.0253178), std::pair(2.0, 0.2422093),
                                   std::pair(10.0, 4.7953887), std::pair(100.0, 81.3639913)}) {
    EXPECT_NEAR(sure_low(seen, 1e6, 1) * 1e6, mean, 1e-7) << seen;
  }
  EXPECT_EQ(sure_low(0, 1e6, 1), 0);
  EXPECT_EQ(sure_low(0, 0, 1), 0);
}

TEST(SureLow, HardlyJumpsWhereTheFormulaChanges) {
  for (const std::size_t groups : {1U, 10U, 1000U}) {
    EXPECT_NEAR(sure_low(1000, 1e6, groups) / sure_low(1000.001, 1e6, groups), 1, 0.01) << groups;
  }
}

TEST(TrialsToShow, IsWhatMakesTheIntervalThatNarrow) {
  for (const double rate : {0.5, 0.01, 1e-3, 1e-6}) {
    const auto trials = static_cast<double>(trials_to_show(rate, 0.05));
    const Interval interval = wilson_interval(rate * trials, trials);
    EXPECT_NEAR((interval.high - interval.low) / 2 / rate, 0.05, 0.0005) << rate;
  }
  EXPECT_EQ(trials_to_show(0.01, 0.05), 152'122U);
}

TEST(TrialsToShow, StopsAtTheLargestNumber) {
  EXPECT_EQ(trials_to_show(1e-300, 0.05), UINT64_MAX);
}

}  // namespace
}  // namespace bloomery
