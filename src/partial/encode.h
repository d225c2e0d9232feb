// The partial of one task: its groups' keys as frames, by the strategy asked for.
//
//   takes   per group the hashes (or positions) of the task's keys, and the spec from the plan
//   gives   frames and a trailer, to merge/; and what they weigh, under every strategy
//
// Every frame is for one block of a table. `auto` sends each block by the cheapest of raw bits,
// gaps, or hashes, and empty blocks not at all, so it is never larger than either of the others. A
// table of one group is in memory at a time; sorted hashes are made only where they may win.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "bloomery/filter.h"
#include "bloomery/result.h"
#include "partial/auto_encoder.h"
#include "partial/frame.h"
#include "partial/strategy.h"

namespace bloomery {

// What a task has of one group.
struct GroupKeys {
  std::string_view group;            // 1 to 65,535 bytes
  const FilterSpec* spec = nullptr;  // valid
  // Of all keys, in as many pieces as they come in. Requires spec->takes_hashes().
  std::span<const std::span<const KeyHash>> hashes;
  // For a spec that does not take hashes instead: k positions a key, each below spec->bits.
  std::span<const std::span<const std::uint64_t>> positions;
  std::uint64_t count = 0;  // keys, repeats included
};

struct EncodeOptions {
  std::uint32_t task = 0;  // its number: the same when the task runs again
  Strategy strategy = Strategy::kAuto;
  bool weigh_all = false;  // fill the facts for every strategy, not only for the one that is used
};

// Gets each frame as it is made; an error ends the encoding. The bytes are gone after the call.
using FrameSink = std::function<Result<void>(std::span<const std::byte>)>;

struct PartialFacts {
  std::uint64_t bytes = 0;   // shipped, trailer included
  std::uint32_t frames = 0;  // shipped, trailer not counted
  std::vector<GroupBytes> groups;
};

// Each group may come once. For `filters`, a group without keys is shipped too where it is given.
Result<PartialFacts> encode_partial(const EncodeOptions& options, std::span<const GroupKeys> groups,
                                    const FrameSink& sink);

// The blocks of a table as they lie, for filters that are filled and not made of hashes.
Result<void> encode_filters(const FilterView& filter, const EmitBlock& emit);

// The table of these keys alone.
Result<Filter> filter_of(const GroupKeys& keys);

}  // namespace bloomery
