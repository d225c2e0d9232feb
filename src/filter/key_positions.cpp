#include "filter/key_positions.h"

namespace bloomery {

std::vector<Hasher> seed_hashers(const FilterSpec& spec) {
  const HashId id = spec.hasher.id();
  std::vector<Hasher> hashers;
  hashers.reserve(spec.seeds.size());
  for (const std::uint64_t seed : spec.seeds) {
    hashers.push_back(Hasher::create(id, id == HashId::kXxh3 ? spread_seed(seed) : seed).value());
  }
  return hashers;
}

PositionRule position_rule(const FilterSpec& spec) noexcept {
  return rules_of(spec.dialect)
      ->positions(ForeignHash{static_cast<std::uint8_t>(spec.hasher.id())});
}

}  // namespace bloomery
