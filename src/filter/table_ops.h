// What can be done to a table without knowing its keys: count it, merge it, read its rate.
//
//   takes   tables, or pieces of them, as 64-bit words
//   gives   counts and merged tables, to filter.cpp and to the bank
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bloomery/spec.h"

namespace bloomery {

// Tables are arrays of 64-bit words, whoever owns them: bytes must be 8-byte aligned and whole
// words.
[[nodiscard]] inline std::span<const std::uint64_t> as_words(std::span<const std::byte> table) {
  return {reinterpret_cast<const std::uint64_t*>(table.data()), table.size() / 8};
}
[[nodiscard]] inline std::span<std::uint64_t> as_words(std::span<std::byte> table) {
  return {reinterpret_cast<std::uint64_t*>(table.data()), table.size() / 8};
}

// Bits that are one; for the counting kind, counters above zero. Any piece of a table will do.
[[nodiscard]] std::uint64_t count_ones(Kind kind, std::span<const std::byte> table) noexcept;

// Ors bits, adds counters up to 15. The pieces must have one size, and the same place in their
// tables.
void merge_tables(Kind kind, std::span<std::byte> into, std::span<const std::byte> from) noexcept;

// Whether all cells past the last one of the table's last word are zero.
[[nodiscard]] bool has_clean_end(Kind kind, std::uint64_t bits,
                                 std::span<const std::byte> table) noexcept;

// The mean over all blocks of the chance that a key that was never inserted finds its bits set.
[[nodiscard]] double mean_block_fpr(std::span<const std::uint64_t> words, std::uint32_t hashes);

// A word of 64 bits from 4 words of 16 counters: bit i is one where counter i is not zero.
[[nodiscard]] std::uint64_t occupied(std::span<const std::uint64_t, 4> counters) noexcept;

}  // namespace bloomery
