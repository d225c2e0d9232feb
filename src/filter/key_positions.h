// Positions of filters that need the key itself: lists of seeds, and rules of other systems.
//
//   takes   a key
//   gives   its positions one after the other, so that a question can stop at the first unset bit
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bloomery/hash.h"
#include "bloomery/spec.h"
#include "dialect/rules.h"
#include "filter/positions.h"

namespace bloomery {

// One hasher for each seed of the spec's list.
[[nodiscard]] std::vector<Hasher> seed_hashers(const FilterSpec& spec);
[[nodiscard]] PositionRule position_rule(const FilterSpec& spec) noexcept;

// Calls visit(position) for every position, in order, as long as it returns true. Returns whether
// it always did. Requires a valid spec with !takes_hashes(), and its seed_hashers().
template <typename Visit>
bool each_key_position(const FilterSpec& spec, std::span<const Hasher> hashers,
                       std::string_view key, const Visit& visit) {
  for (const Hasher& hasher : hashers) {
    if (!visit(scale(static_cast<std::uint64_t>(hasher(key)), spec.bits))) return false;
  }
  if (spec.dialect == Dialect::kBloomery) return true;
  const PositionRule rule = position_rule(spec);
  KeyWalk walk;
  walk.key = key;
  walk.bits = spec.bits;
  rule.start(walk, static_cast<std::uint32_t>(spec.hasher.seed()));
  for (std::uint32_t i = 0; i < spec.hashes; ++i) {
    if (!visit(rule.next(walk))) return false;
  }
  return true;
}

}  // namespace bloomery
