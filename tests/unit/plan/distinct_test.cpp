#include "plan/distinct.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bloomery {
namespace {

DistinctCounter counter_of(std::uint64_t begin, std::uint64_t end) {
  const Hasher hasher;
  DistinctCounter counter;
  for (std::uint64_t key = begin; key < end; ++key) counter.insert(hasher(key));
  return counter;
}

TEST(DistinctCounter, CountsNothingAsZeroAndOneKeyAsOne) {
  EXPECT_EQ(DistinctCounter().estimate(), 0U);
  EXPECT_EQ(counter_of(5, 6).estimate(), 1U);
}

TEST(DistinctCounter, IsWithinFourStandardErrorsAtEverySize) {
  for (const std::uint64_t keys : {10U, 100U, 1'000U, 5'000U, 20'000U, 100'000U, 1'000'000U}) {
    const auto estimate = static_cast<double>(counter_of(0, keys).estimate());
    EXPECT_NEAR(estimate / static_cast<double>(keys), 1, 4 * 1.04 / std::sqrt(16384.0)) << keys;
  }
}

TEST(DistinctCounter, RepeatsChangeNothing) {
  DistinctCounter twice = counter_of(0, 50'000);
  twice.merge(counter_of(0, 50'000));
  EXPECT_EQ(twice, counter_of(0, 50'000));
}

TEST(DistinctCounter, MergesToTheSameInAnyOrderAndAnyCut) {
  const DistinctCounter whole = counter_of(0, 30'000);
  DistinctCounter forwards = counter_of(0, 100);  // a list
  forwards.merge(counter_of(100, 29'000));        // registers
  forwards.merge(counter_of(29'000, 30'000));
  DistinctCounter backwards = counter_of(29'000, 30'000);
  backwards.merge(counter_of(100, 29'000));
  backwards.merge(counter_of(0, 100));
  EXPECT_EQ(forwards, whole);
  EXPECT_EQ(backwards, whole);
  EXPECT_EQ(forwards.estimate(), whole.estimate());
}

}  // namespace
}  // namespace bloomery
