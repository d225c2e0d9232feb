// Positions and sizes of the course project's two programs, from runs of them.
#include "dialect/pisa.h"

#include <gtest/gtest.h>

#include "unit/dialect/vectors.h"

namespace bloomery {
namespace {

using test::Positions;
using test::positions_of;

Positions java(std::string_view key, std::uint64_t bits) {
  return positions_of(kPisaJavaRules, ForeignHash::kHadoopMurmur, key, bits, 7);
}

Positions python(std::string_view key, std::uint64_t bits) {
  return positions_of(kPisaPythonRules, ForeignHash::kMurmur3x32, key, bits, 7);
}

TEST(PisaPositions, AreThoseOfTheJavaProgram) {
  EXPECT_EQ(java("tt0000001", 24404), (Positions{3288, 4247, 22873, 5524, 3899, 12971, 1213}));
  EXPECT_EQ(java("tt0000002", 24404), (Positions{11262, 14495, 11112, 15758, 15677, 5014, 9345}));
  EXPECT_EQ(java("tt9916880", 24404), (Positions{16827, 8351, 9526, 348, 8936, 5787, 802}));
  EXPECT_EQ(java("tt0000001", 101), (Positions{90, 44, 74, 63, 19, 92, 5}));
}

TEST(PisaPositions, AreThoseOfThePythonProgram) {
  EXPECT_EQ(python("tt0000001", 24404), (Positions{23514, 14471, 4791, 20077, 965, 3365, 1318}));
  EXPECT_EQ(python("tt0000002", 24404), (Positions{9216, 19579, 658, 22404, 11699, 3202, 20110}));
  EXPECT_EQ(python("tt0000002", 101), (Positions{13, 86, 28, 73, 23, 43, 50}));
}

// Hashes as many bytes as the key has UTF-16 units: "é" is two bytes and one unit, so the last byte
// is lost.
TEST(PisaPositions, CutKeysThatAreNotAscii) {
  EXPECT_EQ(java("\xc3\xa9t", 101), java("\xc3\xa9u", 101));
  EXPECT_NE(java("ab", 101), java("a", 101));
  EXPECT_EQ(java("\xf0\x9f\x98\x80zab", 101), java("\xf0\x9f\x98\x80zcd", 101));
  EXPECT_NE(java("\xf0\x9f\x98\x80zab", 101), java("\xf0\x9f\x98\x80yab", 101));
}

TEST(PisaSizes, AreThoseOfTheProgramsToTheBit) {
  const auto java_size = [](std::uint64_t keys, double fpr, std::optional<std::uint32_t> k = {}) {
    return kPisaJavaRules.size_for(keys, fpr, k).value();
  };
  const auto python_size = [](std::uint64_t keys, double fpr, std::optional<std::uint32_t> k = {}) {
    return kPisaPythonRules.size_for(keys, fpr, k).value();
  };
  const std::uint64_t keys[] = {2546,   6623,   17937,  43912,  103292,
                                220871, 373321, 355418, 113980, 16286};
  const std::uint64_t bits[] = {24404,   63482,   171928,  420900,  990060,
                                2117062, 3578304, 3406703, 1092505, 156103};
  for (std::size_t i = 0; i < std::size(keys); ++i) {
    EXPECT_EQ(java_size(keys[i], 0.01), (ForeignSize{bits[i], 7}));
    EXPECT_EQ(python_size(keys[i], 0.01).hashes, 7U);
  }
  EXPECT_EQ(java_size(2546, 1e-5), (ForeignSize{61009, 17}));
  EXPECT_EQ(java_size(44734, 0.1).bits, 214389U);
  EXPECT_EQ(python_size(44734, 0.1).bits, 214390U);
  EXPECT_EQ(java_size(49715, 0.1, 3), (ForeignSize{239047, 3}));
  EXPECT_EQ(python_size(49715, 0.1, 3), (ForeignSize{239046, 3}));
}

TEST(PisaSizes, RefuseWhatTheJavaProgramWouldOverflow) {
  EXPECT_FALSE(kPisaJavaRules.size_for(std::uint64_t{1} << 31U, 0.01, std::nullopt));
  EXPECT_FALSE(kPisaJavaRules.size_for(500'000'000, 0.01, 7));
  EXPECT_FALSE(kPisaJavaRules.size_for(400'000'000, 0.01, std::nullopt));
}

}  // namespace
}  // namespace bloomery
