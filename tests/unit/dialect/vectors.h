// Bytes and positions in the tests of dialects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/filter.h"
#include "bloomery/sizing.h"
#include "dialect/rules.h"

namespace bloomery::test {

inline std::string unhex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

inline std::vector<std::uint64_t> positions_of(const DialectRules& rules, ForeignHash hash,
                                               std::string_view key, std::uint64_t bits,
                                               std::size_t count, std::uint32_t seed = 0) {
  const PositionRule rule = rules.positions(hash);
  KeyWalk walk;
  walk.key = key;
  walk.bits = bits;
  rule.start(walk, seed);
  std::vector<std::uint64_t> positions;
  for (std::size_t i = 0; i < count; ++i) positions.push_back(rule.next(walk));
  return positions;
}

// An empty filter of another system's.
inline Filter empty_filter(Dialect dialect, HashId hash, std::uint64_t bits, std::uint32_t hashes,
                           std::uint64_t seed = 0) {
  FilterSpec spec;
  spec.dialect = dialect;
  spec.kind = Kind::kClassic;
  spec.hasher = Hasher::create(hash, seed).value();
  spec.planned_keys = 10;
  spec.bits = bits;
  spec.hashes = hashes;
  return Filter::create(spec).value();
}

using Positions = std::vector<std::uint64_t>;

}  // namespace bloomery::test
