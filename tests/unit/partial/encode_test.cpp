#include "partial/encode.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "laws/law.h"
#include "partial/blocks.h"
#include "support/contains.h"
#include "support/partials.h"

namespace bloomery {
namespace {

using test::random_hashes;
using test::ship;
using test::ship_hashes;

struct Mission {
  double filters = 0;
  double automatic = 0;
  double indexes = 0;
  double entropy = 0;
};

// The course project's ten groups, with random hashes, cut into tasks.
Mission mission(Kind kind, std::uint32_t tasks, double fpr) {
  constexpr std::array<std::size_t, 10> kCounts{2546,   6623,   17937,  43912,  103292,
                                                220871, 373321, 355416, 113980, 16286};
  ShippedBytes total;
  for (std::size_t g = 0; g < kCounts.size(); ++g) {
    const FilterSpec spec = plan_filter(kind, kCounts[g], fpr).value();
    const auto hashes = random_hashes(kCounts[g], g);
    const std::string group = std::to_string(g + 1);
    for (std::uint32_t task = 0; task < tasks; ++task) {
      const std::size_t begin = hashes.size() * task / tasks;
      const std::span<const KeyHash> piece =
          std::span(hashes).subspan(begin, hashes.size() * (task + 1) / tasks - begin);
      const GroupKeys keys{group, &spec, std::span(&piece, 1), {}, piece.size()};
      auto facts = encode_partial({task, Strategy::kAuto, true}, std::span(&keys, 1),
                                  [](auto) { return Result<void>(); });
      EXPECT_TRUE(facts.has_value());
      total.add(facts->bytes, std::move(facts->groups));
    }
  }
  Mission sum;
  std::array<std::uint64_t, 4> blocks{};
  for (const GroupBytes& group : total.groups) {
    EXPECT_LE(group.automatic, std::min(group.indexes, group.filters)) << group.group;
    sum.filters += static_cast<double>(group.filters);
    sum.automatic += static_cast<double>(group.automatic);
    sum.indexes += static_cast<double>(group.indexes);
    sum.entropy += group.entropy_bytes;
    blocks[0] += group.raw_blocks;
    blocks[1] += group.gap_blocks;
    blocks[2] += group.hash_blocks;
    blocks[3] += group.empty_blocks;
  }
  const std::uint64_t tables = tasks * kCounts.size();
  EXPECT_GE(blocks[0] + blocks[1] + blocks[2] + blocks[3], tables);
  fmt::print(
      "{:8} p {} {:4} tasks: indexes {:9.0f}  filters {:9.0f}  auto {:9.0f}  auto/filters {:.3f}  "
      "auto/entropy {:.3f}  raw {} gaps {} hashes {} empty {}\n",
      to_string(kind), fpr, tasks, sum.indexes, sum.filters, sum.automatic,
      sum.automatic / sum.filters, sum.automatic / sum.entropy, blocks[0], blocks[1], blocks[2],
      blocks[3]);
  return sum;
}

TEST(EncodePartial, AutoIsAboutTheEntropyOnTheMissionsGroups) {
  const Mission classic = mission(Kind::kClassic, 9, 0.01);
  // The entropy itself is 0.395 of the raw bits: with k = 7 a task sets 7.8 % of them.
  EXPECT_LT(classic.automatic, classic.filters * 0.398);
  EXPECT_LT(classic.automatic, classic.entropy * 1.008);
  // Seven positions of four bytes a key, and a little framing.
  EXPECT_NEAR(classic.indexes, 1254184.0 * 28, 10000);
  const Mission blocked = mission(Kind::kBlocked, 9, 0.01);
  EXPECT_LT(blocked.automatic, blocked.entropy * 1.008);
}

TEST(EncodePartial, AutoGoesBelowTheEntropyWithManyTasks) {
  const Mission classic = mission(Kind::kClassic, 100, 0.01);
  EXPECT_LT(classic.automatic, classic.entropy);
  const Mission blocked = mission(Kind::kBlocked, 100, 0.01);
  EXPECT_LT(blocked.automatic, blocked.entropy);
}

TEST(EncodePartial, AutoIsRawWithOneTaskAndSmallForCounters) {
  const Mission one = mission(Kind::kClassic, 1, 0.01);
  EXPECT_EQ(one.automatic, one.filters);
  const Mission counting = mission(Kind::kCounting, 9, 0.01);
  EXPECT_LT(counting.automatic, counting.entropy * 1.01);
}

// A table of one bit takes eight bytes, one position four.
TEST(EncodePartial, AutoIsLeastAlsoForTheSmallestTable) {
  FilterSpec spec;
  spec.kind = Kind::kClassic;
  spec.planned_keys = 1;
  spec.bits = 1;
  spec.hashes = 1;
  const auto facts =
      ship_hashes({0, Strategy::kAuto, true}, "g", spec, random_hashes(1, 1)).facts.groups[0];
  EXPECT_LE(facts.automatic, std::min(facts.indexes, facts.filters));
}

// From one key to more than a filter is for; tables of a word to three blocks.
TEST(EncodePartial, AutoIsNeverLargerThanTheOthers) {
  for (const laws::KindCase& kind : laws::every_kind()) {
    for (const std::uint64_t planned : {1ULL, 20ULL, 3000ULL, 1500000ULL}) {
      const FilterSpec spec = kind.spec(planned, 0.01);
      if (!spec.takes_hashes()) continue;
      for (const std::size_t keys : {0UL, 1UL, 2UL, 3UL, 10UL, 100UL, 5000UL}) {
        auto hashes = random_hashes(keys, planned + keys);
        if (keys == 100) std::ranges::fill(hashes, hashes[0]);
        const auto facts =
            ship_hashes({0, Strategy::kAuto, true}, "g", spec, hashes).facts.groups[0];
        EXPECT_LE(facts.automatic, std::min(facts.indexes, facts.filters))
            << kind.name << " " << planned << " " << keys;
      }
    }
  }
}

TEST(EncodePartial, WeighsWhatItShips) {
  for (const laws::KindCase& kind : laws::every_kind()) {
    const FilterSpec spec = kind.spec(1000000, 0.01);
    if (!spec.takes_hashes()) continue;
    for (const std::size_t keys : {10UL, 50000UL, 700000UL}) {
      const auto hashes = random_hashes(keys, keys);
      const auto all = ship_hashes({0, Strategy::kAuto, true}, "gg", spec, hashes).facts.groups[0];
      const auto check = [&](Strategy strategy, std::uint64_t weight) {
        const auto shipped = ship_hashes({0, strategy, false}, "gg", spec, hashes);
        const std::uint64_t trailer = shipped.frames.back().size();
        EXPECT_EQ(shipped.facts.bytes - trailer, weight)
            << kind.name << " " << keys << " " << to_string(strategy);
        EXPECT_EQ(shipped.frames.size(), shipped.facts.frames + 1U);
      };
      check(Strategy::kIndexes, all.indexes);
      check(Strategy::kFilters, all.filters);
      check(Strategy::kAuto, all.automatic);
    }
  }
}

TEST(EncodePartial, FiltersShipEmptyBlocksAndAutoDoesNot) {
  const FilterSpec spec = plan_filter(Kind::kClassic, 2000000, 0.01).value();
  ASSERT_EQ(TableBlocks(spec).count(), 3U);
  const auto raw = ship_hashes({0, Strategy::kFilters, false}, "g", spec, {});
  EXPECT_EQ(raw.facts.frames, 3U);
  const auto automatic = ship_hashes({0, Strategy::kAuto, false}, "g", spec, {});
  EXPECT_EQ(automatic.facts.frames, 0U);
  EXPECT_EQ(automatic.facts.groups[0].empty_blocks, 3U);
}

TEST(EncodePartial, StopsWhenTheSinkFailsAndRefusesWhatDoesNotFit) {
  const FilterSpec spec = plan_filter(Kind::kBlocked, 10, 0.01).value();
  const auto hashes = random_hashes(10, 1);
  const std::span<const KeyHash> piece = hashes;
  const std::vector<std::uint64_t> numbers{1};
  const std::span<const std::uint64_t> positions = numbers;
  const auto no_sink = [](auto) { return Result<void>(); };
  const auto broken = [](auto) { return Result<void>(Error{ErrorCode::kIo, "disk full"}); };
  GroupKeys keys{"g", &spec, std::span(&piece, 1), {}, 10};
  EXPECT_EQ(encode_partial({}, std::span(&keys, 1), broken).error().message, "disk full");
  keys.group = "";
  EXPECT_FALSE(encode_partial({}, std::span(&keys, 1), no_sink));
  keys = {"g", &spec, {}, std::span(&positions, 1), 10};
  const auto refused = encode_partial({}, std::span(&keys, 1), no_sink);
  ASSERT_FALSE(refused);
  EXPECT_PRED2(test::contains, refused.error().message, "takes hashes");
}

}  // namespace
}  // namespace bloomery
