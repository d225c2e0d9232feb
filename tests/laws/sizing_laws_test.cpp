// Keys, rate and size: each gives the others back.
#include <cmath>

#include "laws/law.h"

namespace bloomery::laws {
namespace {

constexpr std::array kKinds{Kind::kClassic, Kind::kBlocked, Kind::kCounting};

struct Wish {
  Kind kind;
  std::uint64_t keys;
  double fpr;
};

// From one key to a billion, and from 1 in a million to 9 in 10, on logarithmic scales.
Wish any_wish() {
  const Kind kind = *rc::gen::elementOf(kKinds);
  const double keys = std::pow(10, *rc::gen::inRange(0, 9'000) / 1'000.0);
  const double fpr = 0.9 * std::pow(10, -*rc::gen::inRange(0, 6'000) / 1'000.0);
  return {kind, static_cast<std::uint64_t>(keys), fpr};
}

TEST(SizingLaws, KeysAndBitsGiveTheRateBackThatTheBitsWereFor) {
  check_law(600, [] {
    const Wish wish = any_wish();
    const auto size = size_for(wish.kind, wish.keys, wish.fpr).value();
    const auto within = size_within(wish.kind, wish.keys, size.bits, size.hashes).value();
    RC_ASSERT(within == size);
    // Left to choose k, it never does worse.
    RC_ASSERT(size_within(wish.kind, wish.keys, size.bits)->fpr <= size.fpr);
  });
}

TEST(SizingLaws, BitsAndRateGiveTheKeysBackThatTheBitsWereFor) {
  check_law(600, [] {
    const Wish wish = any_wish();
    const auto size = size_for(wish.kind, wish.keys, wish.fpr).value();
    const std::uint64_t keys = keys_within(wish.kind, size.bits, wish.fpr).value();
    // Or more, in the bits that were rounded up.
    RC_ASSERT(keys >= wish.keys);
    RC_ASSERT(size_for(wish.kind, keys, wish.fpr)->bits == size.bits);
    RC_ASSERT(size_for(wish.kind, keys + 1, wish.fpr)->bits > size.bits);
  });
}

}  // namespace
}  // namespace bloomery::laws
