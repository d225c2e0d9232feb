// Tasks with made-up keys, and their partials.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "bloomery/filter.h"
#include "bloomery/sizing.h"
#include "merge/partial_merger.h"
#include "partial/encode.h"

namespace bloomery::test {

inline std::vector<KeyHash> random_hashes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<KeyHash> hashes(count);
  for (KeyHash& hash : hashes) hash = KeyHash{random()};
  return hashes;
}

// One frame, or one trailer, as it travels.
using FrameBytes = std::vector<std::byte>;

struct Shipped {
  std::vector<FrameBytes> frames;  // the trailer last
  PartialFacts facts;
};

inline Shipped ship(const EncodeOptions& options, std::span<const GroupKeys> groups) {
  Shipped shipped;
  auto facts = encode_partial(options, groups, [&](std::span<const std::byte> bytes) {
    shipped.frames.emplace_back(bytes.begin(), bytes.end());
    return Result<void>();
  });
  EXPECT_TRUE(facts) << (facts ? "" : facts.error().message);
  if (facts) shipped.facts = std::move(*facts);
  return shipped;
}

inline Shipped ship_hashes(const EncodeOptions& options, std::string_view group,
                           const FilterSpec& spec, std::span<const KeyHash> hashes) {
  const std::vector pieces{hashes.first(hashes.size() / 3), hashes.subspan(hashes.size() / 3)};
  const GroupKeys keys{group, &spec, pieces, {}, hashes.size()};
  return ship(options, std::span(&keys, 1));
}

inline Frame frame_of(std::span<const std::byte> bytes) {
  return PartialReader(bytes, "test").next().value().value();
}

inline Filter filter_of_all(const FilterSpec& spec, std::span<const KeyHash> hashes) {
  Filter filter = Filter::create(spec).value();
  filter.insert(hashes);
  return filter;
}

}  // namespace bloomery::test
