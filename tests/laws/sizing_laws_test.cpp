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

// From one key to 10^14, and from 1 in 10^16 to 9 in 10, on logarithmic scales: some need more bits
// than a filter can have, or better hashes.
Wish any_wish() {
  const Kind kind = *rc::gen::elementOf(kKinds);
  const double keys = std::pow(10, *rc::gen::inRange(0, 14'000) / 1'000.0);
  const double fpr = 0.9 * std::pow(10, -*rc::gen::inRange(0, 16'000) / 1'000.0);
  return {kind, static_cast<std::uint64_t>(keys), fpr};
}

bool is_too_many(const Wish& wish, std::uint64_t keys, std::uint64_t bits) {
  const auto size = size_for(wish.kind, keys, wish.fpr);
  return !size || size->bits > bits;
}

TEST(SizingLaws, NoMoreKeysFitThanThereIsASizeFor) {
  check_law(600, [] {
    const Wish wish = any_wish();
    const auto most = keys_within(wish.kind, kMaxBits, wish.fpr).value();
    RC_ASSERT(size_for(wish.kind, most, wish.fpr).has_value());
    RC_ASSERT(is_too_many(wish, most + 1, kMaxBits));
    RC_ASSERT(size_for(wish.kind, wish.keys, wish.fpr).has_value() == (wish.keys <= most));
  });
}

Wish possible_wish() {
  const Wish wish = any_wish();
  RC_PRE(size_for(wish.kind, wish.keys, wish.fpr).has_value());
  return wish;
}

TEST(SizingLaws, KeysAndBitsGiveTheRateBackThatTheBitsWereFor) {
  check_law(600, [] {
    const Wish wish = possible_wish();
    const auto size = size_for(wish.kind, wish.keys, wish.fpr).value();
    const auto within = size_within(wish.kind, wish.keys, size.bits, size.hashes).value();
    RC_ASSERT(within == size);
    // Left to choose k, it never does worse.
    RC_ASSERT(size_within(wish.kind, wish.keys, size.bits)->fpr <= size.fpr);
  });
}

TEST(SizingLaws, BitsAndRateGiveTheKeysBackThatTheBitsWereFor) {
  check_law(600, [] {
    const Wish wish = possible_wish();
    const auto size = size_for(wish.kind, wish.keys, wish.fpr).value();
    const std::uint64_t keys = keys_within(wish.kind, size.bits, wish.fpr).value();
    // Or more, in the bits that were rounded up.
    RC_ASSERT(keys >= wish.keys);
    RC_ASSERT(size_for(wish.kind, keys, wish.fpr)->bits == size.bits);
    RC_ASSERT(is_too_many(wish, keys + 1, size.bits));
  });
}

}  // namespace
}  // namespace bloomery::laws
