// The strategy `auto`: every block by its cheapest encoding.
//
//   takes   a group's table, and the hashes it was made of where there are any
//   gives   raw, gap-coded or hash frames
//
// A key of the blocked kind lies wholly inside one block, so there hashes compete block by block.
// In the other kinds a hash is for the whole table, so they compete with all its blocks together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "bloomery/filter.h"
#include "partial/frame.h"
#include "partial/strategy.h"

namespace bloomery {

struct GroupKeys;

// Gets the payload of each frame of a group.
using EmitBlock = std::function<Result<void>(Encoding encoding, std::uint32_t block,
                                             std::span<const std::byte> payload)>;

// Adds weight, entropy and counts of blocks to `facts` and gives the frames to `emit`, which may be
// empty: then it only weighs.
Result<void> encode_auto(const GroupKeys& keys, const FilterView& filter, GroupBytes& facts,
                         const EmitBlock& emit);

}  // namespace bloomery
