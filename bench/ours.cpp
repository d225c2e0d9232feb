#include "ours.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "keys.h"

namespace bloomery::bench {
namespace {

template <typename Key>
std::uint64_t count_in_calls(const FilterView& filter, std::span<const Key> keys) {
  std::array<std::uint64_t, kCallKeys / 64> answers{};
  std::uint64_t found = 0;
  while (!keys.empty()) {
    const auto call = keys.first(std::min(keys.size(), kCallKeys));
    filter.may_contain(call, answers);
    found += count_yes(std::span(answers).first((call.size() + 63) / 64));
    keys = keys.subspan(call.size());
  }
  return found;
}

}  // namespace

std::uint64_t count_yes(std::span<const std::uint64_t> answers) noexcept {
  std::uint64_t total = 0;
  for (const std::uint64_t word : answers) total += static_cast<std::uint64_t>(std::popcount(word));
  return total;
}

Filter make_filter(Kind kind, std::uint64_t keys, double fpr, const Hasher& hasher) {
  return unwrap(Filter::create(unwrap(plan_filter(kind, keys, fpr, hasher))));
}

void insert_numbers(Filter& filter, std::uint64_t first, std::uint64_t count, unsigned threads) {
  constexpr std::uint64_t kPiece = std::uint64_t{16} << 20U;
  std::vector<std::uint64_t> keys(std::min(count, kPiece));
  for (std::uint64_t done = 0; done < count; done += kPiece) {
    const auto piece = std::span(keys).first(std::min(count - done, kPiece));
    number_keys(first + done, piece);
    filter.insert(std::span<const std::uint64_t>(piece), threads);
  }
}

std::uint64_t count_batched(const FilterView& filter, std::span<const std::uint64_t> keys) {
  return count_in_calls(filter, keys);
}

std::uint64_t count_batched(const FilterView& filter, std::span<const std::string_view> keys) {
  return count_in_calls(filter, keys);
}

std::uint64_t count_batched(const FilterView& filter, std::span<const KeyHash> hashes) {
  return count_in_calls(filter, hashes);
}

std::uint64_t count_singly(const FilterView& filter, std::span<const std::uint64_t> keys) {
  const Hasher& hasher = filter.spec().hasher;
  std::uint64_t found = 0;
  for (const std::uint64_t key : keys) found += filter.may_contain(hasher(key)) ? 1U : 0U;
  return found;
}

std::uint64_t count_singly(const FilterView& filter, std::span<const std::string_view> keys) {
  std::uint64_t found = 0;
  for (const std::string_view key : keys) found += filter.may_contain(key) ? 1U : 0U;
  return found;
}

std::uint64_t count_singly(const FilterView& filter, std::span<const KeyHash> hashes) {
  std::uint64_t found = 0;
  for (const KeyHash hash : hashes) found += filter.may_contain(hash) ? 1U : 0U;
  return found;
}

}  // namespace bloomery::bench
