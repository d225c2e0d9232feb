// Who merges which block of the build: blocks are dealt out to reducers in turn.
//
// Under `auto`, tables of the classic and counting kinds may travel as hashes, and those are for
// the whole table: such a group goes to one reducer, which holds its table. Of all others a reducer
// holds one block of 1 MiB at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partial/strategy.h"
#include "plan/plan.h"

namespace bloomery::hadoop {

// Whether one reducer must hold the group's whole table.
[[nodiscard]] bool is_merged_whole(const FilterSpec& spec, Strategy strategy);

class BlockRoutes {
 public:
  BlockRoutes(std::span<const GroupPlan> plan, Strategy strategy, std::uint32_t reducers);

  [[nodiscard]] bool is_whole(std::size_t group) const { return is_whole_[group]; }
  // Of a group that is whole, any block gives the same.
  [[nodiscard]] std::uint32_t reducer_of(std::size_t group, std::uint32_t block) const {
    return static_cast<std::uint32_t>((first_[group] + (is_whole_[group] ? 0 : block)) % reducers_);
  }

 private:
  std::uint64_t reducers_;
  std::vector<std::uint64_t> first_;
  std::vector<bool> is_whole_;
};

}  // namespace bloomery::hadoop
