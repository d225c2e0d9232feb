#include "bank/table_sum.h"

#include <algorithm>
#include <array>

#include "base/endian.h"

namespace bloomery {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);

// Odd, so that no change of one word is lost, and another for every word, so that words that
// change places show.
std::uint64_t weight_of(std::uint64_t word) noexcept {
  return (word * 0x9E3779B97F4A7C15U) | 1U;
}

// Some bytes of one word; the others count as zero. Requires at + bytes.size() <= kWordBytes.
std::uint64_t part_of_word(std::uint64_t word, std::size_t at,
                           std::span<const std::byte> bytes) noexcept {
  std::array<std::byte, kWordBytes> whole{};
  std::ranges::copy(bytes, whole.begin() + static_cast<std::ptrdiff_t>(at));
  return load_le<std::uint64_t>(whole.data()) * weight_of(word);
}

}  // namespace

std::uint64_t table_sum(std::uint64_t offset, std::span<const std::byte> bytes) noexcept {
  std::uint64_t word = offset / kWordBytes;
  std::uint64_t sum = 0;
  if (const auto at = static_cast<std::size_t>(offset % kWordBytes); at != 0) {
    const auto first = bytes.first(std::min(bytes.size(), kWordBytes - at));
    sum += part_of_word(word++, at, first);
    bytes = bytes.subspan(first.size());
  }
  for (; bytes.size() >= kWordBytes; bytes = bytes.subspan(kWordBytes)) {
    sum += load_le<std::uint64_t>(bytes.data()) * weight_of(word++);
  }
  return sum + part_of_word(word, 0, bytes);
}

}  // namespace bloomery
