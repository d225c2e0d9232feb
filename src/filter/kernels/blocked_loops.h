// The batch loops of the blocked kind, the same for every instruction set.
//
// A Mask policy turns a hash into the bits it has in a block:
//
//   static void set(std::uint64_t* block, KeyHash hash);
//   static bool test(const std::uint64_t* block, KeyHash hash);
//
// Each loop asks for the line of a key some way ahead of the one it works on, so that many lines
// are on their way from memory at once. Tables that fit the second-level cache do not need that.
//
// Everything is in an unnamed namespace on purpose: see kernels.h.
// NOLINTBEGIN(misc-definitions-in-headers)
#pragma once

#include <cstddef>
#include <cstdint>

#include "filter/kernels/kernels.h"
#include "filter/positions.h"

namespace bloomery {
namespace {

constexpr std::size_t kPrefetchAhead = 32;
constexpr std::size_t kBlockWords = 8;

inline void prefetch_block(const std::uint64_t* words, std::uint64_t blocks, KeyHash hash) {
  __builtin_prefetch(words + block_of(hash, blocks) * kBlockWords);
}

// How many of the first of n hashes have another one kPrefetchAhead further on. Asks for the lines
// of those that no other hash is far enough ahead of.
template <bool IsFar>
std::size_t start_prefetching(const std::uint64_t* words, std::uint64_t blocks,
                              const KeyHash* hashes, std::size_t n) {
  if (!IsFar || n <= kPrefetchAhead) return 0;
  for (std::size_t i = 0; i < kPrefetchAhead; ++i) prefetch_block(words, blocks, hashes[i]);
  return n - kPrefetchAhead;
}

template <typename Mask, bool IsFar>
void insert_batch(std::uint64_t* words, std::uint64_t blocks, const KeyHash* hashes,
                  std::size_t n) {
  const std::size_t ahead = start_prefetching<IsFar>(words, blocks, hashes, n);
  std::size_t i = 0;
  for (; i < ahead; ++i) {
    prefetch_block(words, blocks, hashes[i + kPrefetchAhead]);
    Mask::set(words + block_of(hashes[i], blocks) * kBlockWords, hashes[i]);
  }
  for (; i < n; ++i) Mask::set(words + block_of(hashes[i], blocks) * kBlockWords, hashes[i]);
}

template <typename Mask>
bool test_block(const std::uint64_t* words, std::uint64_t blocks, KeyHash hash) {
  return Mask::test(words + block_of(hash, blocks) * kBlockWords, hash);
}

template <typename Mask>
bool query_one(const Probe& probe, KeyHash hash) noexcept {
  return test_block<Mask>(probe.words, probe.size, hash);
}

// Answers enter at the top and move down: cheaper than to shift each to a place of its own.
inline std::uint64_t shifted_in(std::uint64_t answers, bool answer) {
  return (answers >> 1U) | (static_cast<std::uint64_t>(answer) << 63U);
}

// The answers for 1 to 64 hashes, the first `ahead` of which have another one to prefetch.
template <typename Mask>
std::uint64_t query_word(const std::uint64_t* words, std::uint64_t blocks, const KeyHash* hashes,
                         std::size_t n, std::size_t ahead) {
  std::uint64_t answers = 0;
  std::size_t i = 0;
  for (; i < ahead; ++i) {
    prefetch_block(words, blocks, hashes[i + kPrefetchAhead]);
    answers = shifted_in(answers, test_block<Mask>(words, blocks, hashes[i]));
  }
  for (; i < n; ++i) answers = shifted_in(answers, test_block<Mask>(words, blocks, hashes[i]));
  return answers >> (64 - n);
}

template <typename Mask>
std::uint64_t query_eight(const std::uint64_t* words, std::uint64_t blocks, const KeyHash* ahead,
                          const KeyHash* hashes) {
  std::uint64_t answers = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    prefetch_block(words, blocks, ahead[i]);
    answers = shifted_in(answers, test_block<Mask>(words, blocks, hashes[i]));
  }
  return answers >> 56U;
}

template <typename Mask, bool IsFar>
void query_batch(const std::uint64_t* words, std::uint64_t blocks, const KeyHash* hashes,
                 std::size_t n, std::uint64_t* answers) {
  const std::size_t ahead = start_prefetching<IsFar>(words, blocks, hashes, n);
  for (std::size_t start = 0; start < n; start += 64) {
    const std::size_t size = n - start < 64 ? n - start : 64;
    const std::size_t left = start < ahead ? ahead - start : 0;
    *answers++ = query_word<Mask>(words, blocks, hashes + start, size, left < size ? left : size);
  }
}

template <typename Mask>
constexpr BlockedKernel blocked_kernel() {
  return {{&insert_batch<Mask, false>, &query_batch<Mask, false>},
          {&insert_batch<Mask, true>, &query_batch<Mask, true>},
          &query_one<Mask>,
          &query_eight<Mask>};
}

inline std::uint64_t ones_of(std::uint64_t word) {
  return static_cast<std::uint64_t>(__builtin_popcountll(word));
}

// Four sums, because one would make every word wait for the one before it.
inline std::uint64_t count_bits(const std::uint64_t* words, std::size_t n) {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;
  std::uint64_t d = 0;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    a += ones_of(words[i]);
    b += ones_of(words[i + 1]);
    c += ones_of(words[i + 2]);
    d += ones_of(words[i + 3]);
  }
  for (; i < n; ++i) a += ones_of(words[i]);
  return a + b + c + d;
}

}  // namespace
}  // namespace bloomery
// NOLINTEND(misc-definitions-in-headers)
