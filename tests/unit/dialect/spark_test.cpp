// Hashes, positions and sizes that Spark's own classes gave.
#include "dialect/spark.h"

#include <gtest/gtest.h>

#include "base/endian.h"
#include "dialect/murmur3_x32.h"
#include "unit/dialect/vectors.h"

namespace bloomery {
namespace {

using test::Positions;
using test::positions_of;
using test::unhex;

std::string long_key(std::int64_t number) {
  std::string key(8, '\0');
  store_le(key.data(), number);
  return key;
}

TEST(SparkHash, IsSparksAndOnlySometimesTheStandardOne) {
  struct Row {
    std::string_view key;
    std::uint32_t spark;
    std::uint32_t standard;
  };
  for (const Row& row :
       {Row{"61", 0x2b038801, 0x3c2569b2}, Row{"6162", 0x441fffe9, 0x9bbfd75f},
        Row{"616263", 0xcd632798, 0xb3dd93fa}, Row{"61626364", 0x43ed676a, 0x43ed676a},
        Row{"68656c6c6f", 0xb21f6e00, 0x248bfa47}, Row{"e282ac", 0x22c1c58f, 0x5b43fca5},
        Row{"ff", 0x62106c3e, 0xfd6cf10d}, Row{"80ff7f", 0xb87f0025, 0x41213872}}) {
    EXPECT_EQ(spark_murmur3(unhex(row.key), 0), row.spark) << row.key;
    EXPECT_EQ(murmur3_x32(unhex(row.key), 0), row.standard) << row.key;
  }
  EXPECT_EQ(spark_murmur3(long_key(42), 0), 0x6f8f913eU);
  EXPECT_EQ(spark_murmur3(long_key(INT64_MIN), 0), 0x516faf25U);
  EXPECT_EQ(murmur3_x32("foo", 0), 4138058784U);
}

TEST(SparkPositions, AreThoseOfBothVersions) {
  struct Row {
    std::string key;
    Positions first;
    Positions second;
  };
  for (const Row& row : {Row{long_key(0), {168, 171, 127, 83, 24}, {48, 92, 136, 180, 32}},
                         Row{long_key(42), {129, 4, 71, 53, 178}, {69, 136, 11, 78, 145}},
                         Row{long_key(-1), {74, 108, 49, 15, 82}, {122, 156, 190, 32, 66}},
                         Row{long_key(INT64_MIN), {187, 110, 24, 125, 19}, {49, 135, 29, 115, 9}},
                         Row{"hello", {121, 13, 107, 27, 162}, {134, 77, 20, 155, 98}},
                         Row{"caf\xc3\xa9", {58, 148, 99, 50, 1}, {166, 23, 72, 121, 170}},
                         Row{unhex("ff0001"), {9, 112, 21, 91, 30}, {60, 182, 112, 42, 164}}}) {
    const auto hash = ForeignHash::kSparkMurmur3;
    EXPECT_EQ(positions_of(kSparkV1Rules, hash, row.key, 192, 5), row.first);
    EXPECT_EQ(positions_of(kSparkRules, hash, row.key, 192, 5), row.second);
  }
}

TEST(SparkSizes, AreSparks) {
  const auto size = [](std::uint64_t keys, double fpr) {
    return kSparkRules.size_for(keys, fpr, std::nullopt).value();
  };
  EXPECT_EQ(size(1, 0.03), (ForeignSize{64, 5}));
  EXPECT_EQ(size(10, 0.03), (ForeignSize{128, 5}));
  EXPECT_EQ(size(1000, 0.03), (ForeignSize{7360, 5}));
  EXPECT_EQ(size(1'000'000, 0.03), (ForeignSize{7298496, 5}));
  EXPECT_EQ(size(1, 0.01), (ForeignSize{64, 6}));
  EXPECT_EQ(size(10, 0.01), (ForeignSize{128, 7}));
  EXPECT_EQ(size(1000, 0.01), (ForeignSize{9600, 7}));
  EXPECT_EQ(size(1000, 0.001), (ForeignSize{14400, 10}));
  EXPECT_EQ(size(1, 0.5), (ForeignSize{64, 1}));
  EXPECT_FALSE(kSparkRules.size_for(1, 0.9, std::nullopt));
  const auto much = kSparkRules.size_for(std::uint64_t{1} << 40U, 0.01, std::nullopt);
  ASSERT_FALSE(much);
  EXPECT_NE(much.error().message.find("137438953408"), std::string::npos) << much.error().message;
}

}  // namespace
}  // namespace bloomery
