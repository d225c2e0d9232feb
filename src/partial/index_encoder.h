// The strategy `indexes`: k fixed-width positions a key, unsorted, by block.
#pragma once

#include "partial/auto_encoder.h"
#include "partial/encode.h"

namespace bloomery {

// Adds its weight to facts.indexes and gives the frames to `emit`, which may be empty: then it only
// weighs. Keys are taken in rounds, so that memory does not grow with them.
Result<void> encode_indexes(const GroupKeys& keys, GroupBytes& facts, const EmitBlock& emit);

}  // namespace bloomery
