// Calls with many keys: picks the way through the table that is fastest for their number, the size
// of the table, and the threads there are.
//
//   takes   keys or hashes, and a table
//   gives   bits set, answers
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bloomery/spec.h"
#include "filter/cells.h"
#include "filter/hash_source.h"
#include "filter/kernels/kernels.h"

namespace bloomery {

[[nodiscard]] const BlockedKernel& blocked_kernel_of(const FilterSpec& spec) noexcept;
[[nodiscard]] ConstCells cells_of(const FilterSpec& spec, std::span<const std::byte> table);
[[nodiscard]] Cells cells_of(const FilterSpec& spec, std::span<std::byte> table);

[[nodiscard]] unsigned useful_threads(unsigned threads, std::size_t keys) noexcept;

// One hash. The batches below have more to set up.
void insert_one(const FilterSpec& spec, std::span<std::byte> table, KeyHash hash) noexcept;

// May throw std::bad_alloc; the table may then hold some of the keys.
void insert_batch(const FilterSpec& spec, std::span<std::byte> table, const HashSource& source,
                  unsigned threads);

// Writes (source.size() + 63) / 64 whole words of answers.
void query_batch(const FilterSpec& spec, std::span<const std::byte> table, const HashSource& source,
                 std::uint64_t* answers, unsigned threads);

}  // namespace bloomery
