// The classic and counting kinds: k positions a key, anywhere in the table.
//
//   takes   hashes, or positions
//   gives   bits set, counters raised, answers
//
// The two kinds differ only in what a cell is: a bit, or a counter of four bits. A query looks at
// one position of every key before it looks at the second of any, and drops the keys that are
// denied: so it never waits for one line at a time, and an absent key costs two lines on average
// and not k.
#pragma once

#include <cstdint>
#include <span>

#include "bloomery/hash.h"
#include "bloomery/probe.h"
#include "bloomery/spec.h"

namespace bloomery {

// What the loops need to know of a filter. `Word` is const for a filter that is only asked.
template <typename Word>
struct CellTable {
  Kind kind;
  Word* words;
  std::uint64_t bits;
  std::uint32_t hashes;
};
using Cells = CellTable<std::uint64_t>;
using ConstCells = CellTable<const std::uint64_t>;

void insert_cells(const Cells& cells, std::span<const KeyHash> hashes) noexcept;
void insert_positions(const Cells& cells, std::span<const std::uint64_t> positions) noexcept;

// Lowers the counters of a key by one, but not those that are full. Counting kind only.
void remove_positions(const Cells& cells, std::span<const std::uint64_t> positions) noexcept;

[[nodiscard]] bool query_cell(const ConstCells& cells, std::uint64_t position) noexcept;
// For Probe::query_one, with the kind that fits.
[[nodiscard]] bool query_bits(const Probe& probe, KeyHash hash) noexcept;
[[nodiscard]] bool query_counters(const Probe& probe, KeyHash hash) noexcept;
// Writes (hashes.size() + 63) / 64 whole words of answers.
void query_cells(const ConstCells& cells, std::span<const KeyHash> hashes,
                 std::uint64_t* answers) noexcept;

}  // namespace bloomery
