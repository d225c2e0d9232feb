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
#pragma once

#include <cstddef>
#include <cstdint>

#include "filter/kernels/kernels.h"
#include "filter/positions.h"

namespace bloomery {
namespace {

constexpr std::size_t kPrefetchAhead = 32;
constexpr std::uint64_t kCachedBlocks = (std::uint64_t{256} << 10U) / 64;
constexpr std::size_t kBlockWords = 8;

inline void prefetch_block(const std::uint64_t* words, std::uint64_t blocks, KeyHash hash) {
  __builtin_prefetch(words + block_of(hash, blocks) * kBlockWords);
}

template <typename Mask>
void insert_batch(std::uint64_t* words, std::uint64_t blocks, const KeyHash* hashes,
                  std::size_t n) {
  std::size_t i = 0;
  if (blocks > kCachedBlocks && n > kPrefetchAhead) {
    for (std::size_t j = 0; j < kPrefetchAhead; ++j) prefetch_block(words, blocks, hashes[j]);
    for (; i < n - kPrefetchAhead; ++i) {
      prefetch_block(words, blocks, hashes[i + kPrefetchAhead]);
      Mask::set(words + block_of(hashes[i], blocks) * kBlockWords, hashes[i]);
    }
  }
  for (; i < n; ++i) Mask::set(words + block_of(hashes[i], blocks) * kBlockWords, hashes[i]);
}

template <typename Mask>
bool query_one(const std::uint64_t* words, std::uint64_t blocks, KeyHash hash) {
  return Mask::test(words + block_of(hash, blocks) * kBlockWords, hash);
}

// The answers for up to 64 hashes. For the first `ahead` of them the hash kPrefetchAhead further on
// exists too, and its line is asked for.
template <typename Mask>
std::uint64_t query_word(const std::uint64_t* words, std::uint64_t blocks, const KeyHash* hashes,
                         std::size_t n, std::size_t ahead) {
  std::uint64_t answers = 0;
  std::size_t i = 0;
  for (; i < ahead; ++i) {
    prefetch_block(words, blocks, hashes[i + kPrefetchAhead]);
    answers |= static_cast<std::uint64_t>(query_one<Mask>(words, blocks, hashes[i])) << i;
  }
  for (; i < n; ++i) {
    answers |= static_cast<std::uint64_t>(query_one<Mask>(words, blocks, hashes[i])) << i;
  }
  return answers;
}

template <typename Mask>
void query_batch(const std::uint64_t* words, std::uint64_t blocks, const KeyHash* hashes,
                 std::size_t n, std::uint64_t* answers) {
  const std::size_t ahead = blocks > kCachedBlocks && n > kPrefetchAhead ? n - kPrefetchAhead : 0;
  if (ahead != 0) {
    for (std::size_t j = 0; j < kPrefetchAhead; ++j) prefetch_block(words, blocks, hashes[j]);
  }
  for (std::size_t start = 0; start < n; start += 64) {
    const std::size_t size = n - start < 64 ? n - start : 64;
    const std::size_t left = start < ahead ? ahead - start : 0;
    *answers++ = query_word<Mask>(words, blocks, hashes + start, size, left < size ? left : size);
  }
}

template <typename Mask>
constexpr BlockedKernel blocked_kernel() {
  return {&insert_batch<Mask>, &query_batch<Mask>, &query_one<Mask>};
}

inline std::uint64_t count_bits(const std::uint64_t* words, std::size_t n) {
  std::uint64_t ones = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ones += static_cast<std::uint64_t>(__builtin_popcountll(words[i]));
  }
  return ones;
}

}  // namespace
}  // namespace bloomery
