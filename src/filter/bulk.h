// Calls with very many keys: sort the keys by their place in the table first.
//
// A table larger than the cache costs one line from memory for every key, in whatever order they
// come. When the keys are sorted into parts of the table that fit the cache, each line is loaded
// once for all keys of a round that fall on it, so the cost goes below that (bench/, "bulk").
// Threads take parts of their own, so they write one table without ever meeting.
#pragma once

#include <cstdint>

#include "filter/cells.h"
#include "filter/hash_source.h"
#include "filter/kernels/kernels.h"

namespace bloomery {

struct BlockedTable {
  const BlockedKernel* kernel;
  std::uint64_t* words;
  std::uint64_t blocks;
};

// Whether sorting pays when `touches` lines of a table are needed: with several touches a line.
// Answers must be put back in order, so there it takes more.
[[nodiscard]] bool pays_to_sort_inserts(std::uint64_t table_bytes, std::uint64_t touches) noexcept;
[[nodiscard]] bool pays_to_sort_queries(std::uint64_t table_bytes, std::uint64_t touches) noexcept;

// May throw std::bad_alloc; the table may then hold some of the keys.
void bulk_insert(const BlockedTable& table, const HashSource& source, unsigned threads);
void bulk_insert(const Cells& cells, const HashSource& source, unsigned threads);

// Writes (source.size() + 63) / 64 whole words of answers, in the order asked. Keys are hashed
// twice: that costs no more than to keep their hashes in memory, and needs none.
void bulk_query(const BlockedKernel& kernel, const std::uint64_t* words, std::uint64_t blocks,
                const HashSource& source, std::uint64_t* answers, unsigned threads);

}  // namespace bloomery
