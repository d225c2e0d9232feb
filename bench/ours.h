// The library under test, called the way its users call it.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "bloomery/filter.h"
#include "bloomery/sizing.h"

namespace bloomery::bench {

inline constexpr double kFpr = 0.01;
// Keys in one call of a batched lookup: many, as the peers are given, but too few to be sorted
// first.
inline constexpr std::size_t kCallKeys = std::size_t{16} << 10U;

template <typename T>
T unwrap(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}
inline void unwrap(const Result<void>& result) {
  if (!result) throw std::runtime_error(result.error().message);
}

[[nodiscard]] Filter make_filter(Kind kind, std::uint64_t keys, double fpr = kFpr,
                                 const Hasher& hasher = {});
// Inserts keys number `first` to `first + count - 1` in calls of up to 16 Mi keys.
void insert_numbers(Filter& filter, std::uint64_t first, std::uint64_t count, unsigned threads);

// How many of the answers are yes.
[[nodiscard]] std::uint64_t count_yes(std::span<const std::uint64_t> answers) noexcept;

// All count the keys that the filter may hold.
[[nodiscard]] std::uint64_t count_batched(const FilterView& filter,
                                          std::span<const std::uint64_t> keys);
[[nodiscard]] std::uint64_t count_batched(const FilterView& filter,
                                          std::span<const std::string_view> keys);
[[nodiscard]] std::uint64_t count_batched(const FilterView& filter,
                                          std::span<const KeyHash> hashes);
[[nodiscard]] std::uint64_t count_singly(const FilterView& filter,
                                         std::span<const std::uint64_t> keys);
[[nodiscard]] std::uint64_t count_singly(const FilterView& filter,
                                         std::span<const std::string_view> keys);
[[nodiscard]] std::uint64_t count_singly(const FilterView& filter, std::span<const KeyHash> hashes);

}  // namespace bloomery::bench
