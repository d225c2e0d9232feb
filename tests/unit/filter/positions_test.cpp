// Places in filters of any size, against division in longer arithmetic.
#include "filter/positions.h"

#include <gtest/gtest.h>

#include <array>

#include "bloomery/hash.h"
#include "bloomery/spec.h"

namespace bloomery {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::array<std::uint64_t, 6> kHashes{
    0, 1, 0xFFFFFFFF, 0x123456789ABCDEF0, 1ULL << 63U, UINT64_MAX};
constexpr std::array<std::uint64_t, 6> kSizes{
    1, 511, (1ULL << 32U) - 1, (1ULL << 32U) + 64, kMaxBits - 1, kMaxBits};

std::uint64_t share_of(std::uint64_t hash, std::uint64_t size) {
  constexpr Wide kAll = Wide{1} << 64U;
  return static_cast<std::uint64_t>(Wide{hash} * size / kAll);
}

TEST(Positions, AreTheHashsShareOfAnySize) {
  for (const std::uint64_t hash : kHashes) {
    for (const std::uint64_t size : kSizes) {
      PositionSequence sequence(KeyHash{hash}, size);
      std::uint64_t state = hash;
      for (int i = 0; i < 64; ++i) {
        ASSERT_EQ(sequence.next(), share_of(state, size)) << hash << " of " << size;
        state = PositionSequence::advance(state);
      }
      EXPECT_EQ(block_of(KeyHash{hash}, size), share_of(hash, size));
    }
  }
}

TEST(Positions, ReachTheLastOfAnySize) {
  for (const std::uint64_t size : kSizes) {
    EXPECT_EQ(PositionSequence(KeyHash{UINT64_MAX}, size).next(), size - 1);
    EXPECT_EQ(block_of(KeyHash{UINT64_MAX}, size), size - 1);
  }
}

}  // namespace
}  // namespace bloomery
