#include "hash/murmur3.h"

#include <bit>
#include <cstddef>

#include "base/endian.h"
#include "hash/tail.h"

namespace bloomery {
namespace {

constexpr std::size_t kMurmurBlockBytes = 16;
constexpr std::uint64_t kFirstFactor = 0x87c37b91114253d5;
constexpr std::uint64_t kSecondFactor = 0x4cf5ad432745937f;

std::uint64_t scramble_first(std::uint64_t word) noexcept {
  return std::rotl(word * kFirstFactor, 31) * kSecondFactor;
}

std::uint64_t scramble_second(std::uint64_t word) noexcept {
  return std::rotl(word * kSecondFactor, 33) * kFirstFactor;
}

std::uint64_t finish(std::uint64_t bits) noexcept {
  bits = (bits ^ (bits >> 33U)) * 0xff51afd7ed558ccd;
  bits = (bits ^ (bits >> 33U)) * 0xc4ceb9fe1a85ec53;
  return bits ^ (bits >> 33U);
}

}  // namespace

Murmur3Hash murmur3_x64_128(std::string_view key, std::uint32_t seed) noexcept {
  std::uint64_t first = seed;
  std::uint64_t second = seed;
  const std::size_t tail = key.size() % kMurmurBlockBytes;
  const char* const blocks_end = key.data() + (key.size() - tail);
  for (const char* block = key.data(); block != blocks_end; block += kMurmurBlockBytes) {
    first ^= scramble_first(load_le<std::uint64_t>(block));
    first = (std::rotl(first, 27) + second) * 5 + 0x52dce729;
    second ^= scramble_second(load_le<std::uint64_t>(block + 8));
    second = (std::rotl(second, 31) + first) * 5 + 0x38495ab5;
  }
  // Zeros stand for the missing bytes: a word of zeros scrambles to zero and changes nothing.
  if (tail >= 8) {
    first ^= scramble_first(load_le<std::uint64_t>(blocks_end));
    second ^= scramble_second(load_tail(blocks_end + 8, tail - 8));
  } else {
    first ^= scramble_first(load_tail(blocks_end, tail));
  }
  first ^= key.size();
  second ^= key.size();
  first += second;
  second += first;
  first = finish(first);
  second = finish(second);
  first += second;
  return {first, second + first};
}

}  // namespace bloomery
