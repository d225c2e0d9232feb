#include "filter/blocked_rate.h"

#include <math.h>  // NOLINT(*-deprecated-headers): lgamma_r, since std::lgamma writes a global

#include <algorithm>
#include <array>
#include <cmath>

namespace bloomery {
namespace {

constexpr double kWordBits = 64;
constexpr double kWords = 8;

// The rate of one block with `keys` keys in it: the eight words are independent of each other.
double block_fpr(double keys, std::uint32_t hashes) {
  const double one_unset = 1 - 1 / kWordBits;
  if (hashes == 8) return std::pow(-std::expm1(keys * std::log1p(-1 / kWordBits)), kWords);
  // Two positions a word, drawn independently: with chance 1/64 they are the same one.
  const double set = 1 - std::pow(one_unset, 2 * keys);
  const double both_set =
      1 - 2 * std::pow(one_unset, 2 * keys) + std::pow(1 - 2 / kWordBits, 2 * keys);
  return std::pow(set / kWordBits + both_set * one_unset, kWords);
}

// To 40 bits. The mathematics of C libraries differs in the last bits from processor to processor,
// and a size may not.
double rounded_down(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::floor(std::ldexp(fraction, 40)), exponent - 40);
}

double inverse(double fpr, std::uint32_t hashes) {
  double low = 0;
  double high = 1;
  while (blocked_fpr(high, hashes) < fpr) high *= 2;
  // Until the two are neighbours, so that the result is a function of fpr alone.
  for (double middle = high / 2; low < middle && middle < high; middle = low + (high - low) / 2) {
    (blocked_fpr(middle, hashes) <= fpr ? low : high) = middle;
  }
  return rounded_down(low);
}

}  // namespace

double blocked_fpr(double keys_per_block, std::uint32_t hashes) {
  if (keys_per_block <= 0) return 0;
  // So full that the rate is 1 to the last digit, and the sum below would take for ever.
  if (keys_per_block > 4096) return 1;
  // Terms further out than this weigh less than 1e-20 together.
  const double reach = 10 * std::sqrt(keys_per_block) + 60;
  double j = std::max(1.0, std::floor(keys_per_block - reach));
  int sign = 0;
  double weight =
      std::exp(j * std::log(keys_per_block) - keys_per_block - ::lgamma_r(j + 1, &sign));
  double sum = 0;
  for (; j <= keys_per_block + reach; ++j) {  // NOLINT(*FloatLoopCounter): whole numbers, exact
    sum += weight * block_fpr(j, hashes);
    weight *= keys_per_block / (j + 1);
  }
  return sum;
}

double blocked_keys_per_block(double fpr, std::uint32_t hashes) {
  // A plan asks the same question once a group, and the answer takes a millisecond.
  struct Answer {
    double fpr = 0;
    double keys_per_block = 0;
  };
  thread_local std::array<Answer, 2> last;
  Answer& answer = last[hashes == 16 ? 1 : 0];
  if (answer.fpr != fpr) answer = {fpr, inverse(fpr, hashes)};
  return answer.keys_per_block;
}

}  // namespace bloomery
