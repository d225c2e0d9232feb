#include "filter/table_ops.h"

#include <bit>

#include "filter/kernels/kernels.h"

namespace bloomery {
namespace {

constexpr std::uint64_t kLowBits = 0x1111111111111111ULL;  // bit 0 of every counter
constexpr std::uint64_t kEvens = 0x0F0F0F0F0F0F0F0FULL;    // every second counter

// One in bit 0 of every counter that is not zero.
std::uint64_t occupied_counters(std::uint64_t word) noexcept {
  const std::uint64_t pairs = word | (word >> 1U);
  return (pairs | (pairs >> 2U)) & kLowBits;
}

// Eight sums of counters that lie in a byte each, cut to 15: the fifth bit of a sum says it is
// above.
std::uint64_t saturated(std::uint64_t sums) noexcept {
  const std::uint64_t over = (sums >> 4U) & 0x0101010101010101ULL;
  return (sums | (over * 15U)) & kEvens;
}

std::uint64_t add_counters(std::uint64_t a, std::uint64_t b) noexcept {
  const std::uint64_t evens = saturated((a & kEvens) + (b & kEvens));
  const std::uint64_t odds = saturated(((a >> 4U) & kEvens) + ((b >> 4U) & kEvens));
  return evens | (odds << 4U);
}

}  // namespace

std::uint64_t count_ones(Kind kind, std::span<const std::byte> table) noexcept {
  const auto words = as_words(table);
  if (kind != Kind::kCounting) return active_kernels().popcount(words.data(), words.size());
  std::uint64_t ones = 0;
  for (const std::uint64_t word : words) {
    ones += static_cast<std::uint64_t>(std::popcount(occupied_counters(word)));
  }
  return ones;
}

void merge_tables(Kind kind, std::span<std::byte> into, std::span<const std::byte> from) noexcept {
  const auto to = as_words(into);
  const auto source = as_words(from);
  if (kind == Kind::kCounting) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = add_counters(to[i], source[i]);
  } else {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] |= source[i];
  }
}

bool has_clean_end(Kind kind, std::uint64_t bits, std::span<const std::byte> table) noexcept {
  const std::uint64_t cell_bits = kind == Kind::kCounting ? 4 : 1;
  const std::uint64_t used = bits * cell_bits % 64;
  return used == 0 || (as_words(table).back() >> used) == 0;
}

double mean_block_fpr(std::span<const std::uint64_t> words, std::uint32_t hashes) {
  double sum = 0;
  for (std::size_t block = 0; block < words.size(); block += 8) {
    double rate = 1;
    for (const std::uint64_t word : words.subspan(block, 8)) rate *= std::popcount(word) / 64.0;
    sum += hashes == 16 ? rate * rate : rate;
  }
  return sum / (static_cast<double>(words.size()) / 8);
}

std::uint64_t occupied(std::span<const std::uint64_t, 4> counters) noexcept {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    // Gathers bits 0, 4, 8, ... of the word into the low 16.
    std::uint64_t x = occupied_counters(counters[i]);
    x = (x | (x >> 3U)) & 0x0303030303030303ULL;
    x = (x | (x >> 6U)) & 0x000F000F000F000FULL;
    x = (x | (x >> 12U)) & 0x000000FF000000FFULL;
    x = (x | (x >> 24U)) & 0xFFFFULL;
    bits |= x << (16 * i);
  }
  return bits;
}

}  // namespace bloomery
