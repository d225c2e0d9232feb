#include "engines/hadoop/block_routes.h"

#include "partial/blocks.h"

namespace bloomery::hadoop {

bool is_merged_whole(const FilterSpec& spec, Strategy strategy) {
  return strategy == Strategy::kAuto && spec.kind != Kind::kBlocked && spec.takes_hashes() &&
         TableBlocks(spec).count() > 1;
}

BlockRoutes::BlockRoutes(std::span<const GroupPlan> plan, Strategy strategy, std::uint32_t reducers)
    : reducers_(reducers) {
  std::uint64_t next = 0;
  for (const GroupPlan& group : plan) {
    const bool is_whole = is_merged_whole(group.spec, strategy);
    first_.push_back(next);
    is_whole_.push_back(is_whole);
    next += is_whole ? 1 : TableBlocks(group.spec).count();
  }
}

}  // namespace bloomery::hadoop
