// One frame into a table, or into a part of one.
//
//   takes   a frame that was read, and its group's spec
//   gives   bits set, counters raised
//
// The table may be a window: a merger that gets its frames block by block never holds more than one
// block of 1 MiB. Payloads may be anything: what does not fit the spec is refused, naming the
// place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bloomery/result.h"
#include "bloomery/spec.h"
#include "partial/blocks.h"
#include "partial/frame.h"

namespace bloomery {

// Bytes of a table from `first_byte` on: whole blocks of the partial, 8-byte aligned.
struct TableWindow {
  std::span<std::byte> bytes;
  std::uint64_t first_byte = 0;
};

// Ors bits, adds counters. Fails for a frame whose block lies outside the window; of hashes for the
// whole table, only the cells inside it are set. After a failure the window may hold a part of the
// frame and must be thrown away.
Result<void> merge_frame(const Frame& frame, const FilterSpec& spec, TableWindow window);

}  // namespace bloomery
