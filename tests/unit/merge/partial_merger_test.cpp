#include "merge/partial_merger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "base/memory.h"
#include "filter/positions.h"
#include "laws/law.h"
#include "merge/ledger.h"
#include "merge/merge_frame.h"
#include "partial/gap_code.h"
#include "support/contains.h"
#include "support/partials.h"
#include "support/same_bytes.h"

namespace bloomery {
namespace {

using test::FrameBytes;
using test::random_hashes;
using test::ship_hashes;

constexpr std::array kStrategies{Strategy::kIndexes, Strategy::kFilters, Strategy::kAuto};

bool same_table(const FilterView& a, const FilterView& b) {
  return test::same_bytes(a.table(), b.table());
}

// `tasks` tasks with a share of the hashes each, as frames.
std::vector<FrameBytes> ship_tasks(const FilterSpec& spec, std::span<const KeyHash> hashes,
                                   std::uint32_t tasks, Strategy strategy) {
  std::vector<FrameBytes> frames;
  for (std::uint32_t task = 0; task < tasks; ++task) {
    const std::size_t begin = hashes.size() * task / tasks;
    const std::size_t end = hashes.size() * (task + 1) / tasks;
    auto shipped =
        ship_hashes({task, strategy, false}, "g", spec, hashes.subspan(begin, end - begin));
    std::ranges::move(shipped.frames, std::back_inserter(frames));
  }
  return frames;
}

Result<std::vector<MergedGroup>> merge_all(const FilterSpec& spec,
                                           std::span<const FrameBytes> frames,
                                           std::optional<std::uint64_t> tasks = std::nullopt) {
  auto merger = PartialMerger::create({{"g", spec}}).value();
  for (const FrameBytes& bytes : frames) {
    if (auto added = merger.add(bytes, "test"); !added) return added.error();
  }
  return merger.finish(tasks);
}

std::string error_of(const Result<std::vector<MergedGroup>>& merged) {
  return merged ? "no error" : merged.error().message;
}

TEST(PartialMerger, GivesTheFilterOfAllKeysForEveryKindStrategyAndNumberOfTasks) {
  for (const laws::KindCase& kind : laws::every_kind()) {
    for (const std::uint64_t planned : {5ULL, 2000ULL, 1500000ULL}) {
      const FilterSpec spec = kind.spec(planned, 0.01);
      if (!spec.takes_hashes()) continue;
      auto hashes = random_hashes(std::min<std::size_t>(planned, 20000), planned);
      hashes.resize(hashes.size() + 20, hashes[0]);  // repeats, enough to fill counters
      const Filter all = test::filter_of_all(spec, hashes);
      for (const Strategy strategy : kStrategies) {
        for (const std::uint32_t tasks : {1U, 3U, 40U}) {
          auto frames = ship_tasks(spec, hashes, tasks, strategy);
          std::shuffle(frames.begin(), frames.end(), std::mt19937(tasks));
          const auto merged = merge_all(spec, frames, tasks);
          ASSERT_TRUE(merged) << merged.error().message;
          EXPECT_EQ(merged->at(0).count, hashes.size());
          EXPECT_TRUE(same_table(merged->at(0).filter, all))
              << kind.name << " " << planned << " " << to_string(strategy) << " " << tasks;
        }
      }
    }
  }
}

// At this fill the encoder must weigh both, because collisions hide how many hashes there are.
TEST(PartialMerger, TakesGapsOfSeveralBlocksWhereHashesLoseByALittle) {
  const FilterSpec spec = plan_filter(Kind::kClassic, 1'000'000, 0.0001).value();
  const auto hashes = random_hashes(275'000, 4);
  const auto shipped = ship_hashes({0, Strategy::kAuto, false}, "g", spec, hashes);
  EXPECT_EQ(shipped.facts.groups[0].gap_blocks, 3U);
  EXPECT_EQ(shipped.facts.groups[0].hash_blocks, 0U);
  const auto merged = merge_all(spec, shipped.frames);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_TRUE(same_table(merged->at(0).filter, test::filter_of_all(spec, hashes)));
}

TEST(PartialMerger, TakesPositionsWhereAFilterHasSeeds) {
  const FilterSpec spec = laws::with_seeds(plan_filter(Kind::kClassic, 500, 0.01).value());
  Filter all = Filter::create(spec).value();
  std::vector<std::uint64_t> positions;
  for (int i = 0; i < 300; ++i) {
    const std::string key = std::to_string(i);
    all.insert(key);
    for (const std::uint64_t seed : spec.seeds) {
      const Hasher hasher = Hasher::create(HashId::kXxh3, spread_seed(seed)).value();
      positions.push_back(scale(static_cast<std::uint64_t>(hasher(key)), spec.bits));
    }
  }
  const std::span<const std::uint64_t> piece = positions;
  for (const Strategy strategy : kStrategies) {
    const GroupKeys keys{"g", &spec, {}, std::span(&piece, 1), 300};
    const auto shipped = test::ship({0, strategy, true}, std::span(&keys, 1));
    const auto merged = merge_all(spec, shipped.frames);
    ASSERT_TRUE(merged) << merged.error().message;
    EXPECT_TRUE(same_table(merged->at(0).filter, all)) << to_string(strategy);
    const GroupBytes& facts = shipped.facts.groups[0];
    EXPECT_LE(facts.automatic, std::min(facts.indexes, facts.filters));
  }
}

TEST(PartialMerger, LeavesOutWhatComesTwiceAlsoForCounters) {
  for (const Kind kind : {Kind::kBlocked, Kind::kCounting}) {
    const FilterSpec spec = plan_filter(kind, 3000, 0.01).value();
    const auto hashes = random_hashes(3000, 5);
    auto frames = ship_tasks(spec, hashes, 4, Strategy::kAuto);
    const auto again = frames;
    frames.insert(frames.begin(), again.begin(), again.end());
    const auto merged = merge_all(spec, frames, 4);
    ASSERT_TRUE(merged) << merged.error().message;
    EXPECT_EQ(merged->at(0).count, 3000U);
    EXPECT_TRUE(same_table(merged->at(0).filter, test::filter_of_all(spec, hashes)));
  }
}

TEST(PartialMerger, RefusesATaskWithTwoResults) {
  const FilterSpec spec = plan_filter(Kind::kCounting, 100, 0.01).value();
  auto frames = ship_tasks(spec, random_hashes(100, 1), 1, Strategy::kAuto);
  const auto others = ship_tasks(spec, random_hashes(100, 2), 1, Strategy::kAuto);
  auto mixed = frames;
  mixed.push_back(others.front());
  EXPECT_PRED2(test::contains, error_of(merge_all(spec, mixed)),
               "partial of task 0, group 'g', block 0: frame 0 came twice with different content");
  frames.push_back(others.back());
  EXPECT_PRED2(test::contains, error_of(merge_all(spec, frames)), "trailer of task 0");
}

TEST(PartialMerger, InsistsOnEveryFrameAndTheTrailerOfEveryTask) {
  const FilterSpec spec = plan_filter(Kind::kClassic, 2000000, 0.01).value();
  const auto frames = ship_tasks(spec, random_hashes(2000, 1), 3, Strategy::kFilters);
  ASSERT_EQ(frames.size(), 12U);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    auto some = frames;
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(i));
    const bool is_trailer = i % 4 == 3;
    EXPECT_PRED2(test::contains, error_of(merge_all(spec, some)),
                 is_trailer ? "its trailer is missing" : "2 frames have come where its trailer");
  }
  const auto two = std::span(frames).first(8);
  EXPECT_TRUE(merge_all(spec, two).has_value());
  EXPECT_PRED2(test::contains, error_of(merge_all(spec, two, 3)), "task 2: nothing has come of it");
  EXPECT_PRED2(test::contains, error_of(merge_all(spec, two, 1)), "a job of 1 tasks");
}

TEST(PartialMerger, RefusesOtherSpecsAndOtherGroups) {
  const FilterSpec spec = plan_filter(Kind::kClassic, 100, 0.01).value();
  FilterSpec other = spec;
  other.hasher = Hasher::create(HashId::kXxh3, 7).value();
  const auto frames = ship_tasks(other, random_hashes(100, 1), 1, Strategy::kAuto);
  EXPECT_PRED2(test::contains, error_of(merge_all(spec, frames)), "another spec");
  auto merger = PartialMerger::create({{"h", spec}}).value();
  const auto added = merger.add(frames[0], "test");
  ASSERT_FALSE(added);
  EXPECT_PRED2(test::contains, added.error().message, "no such group");
  EXPECT_EQ(error_of(merger.finish()), added.error().message);
  EXPECT_FALSE(PartialMerger::create({{"h", spec}, {"h", spec}}));
}

TEST(PartialMerger, ThreadsMayAddAtOnce) {
  const FilterSpec spec = plan_filter(Kind::kCounting, 5000, 0.01).value();
  const auto hashes = random_hashes(5000, 9);
  const auto frames = ship_tasks(spec, hashes, 50, Strategy::kAuto);
  auto merger = PartialMerger::create({{"g", spec}}).value();
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < frames.size(); i += 2) {  // every frame from two threads
        EXPECT_TRUE(merger.add(frames[i], "test").has_value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto merged = merger.finish(50);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_TRUE(same_table(merged->at(0).filter, test::filter_of_all(spec, hashes)));
}

// A merger that gets its frames sorted by block holds one block at a time.
TEST(MergeFrame, BlockByBlockGivesTheSameTable) {
  for (const Kind kind : {Kind::kClassic, Kind::kBlocked, Kind::kCounting}) {
    const FilterSpec spec = plan_filter(kind, 2000000, 0.01).value();
    const auto hashes = random_hashes(3000, 3);
    const Filter all = test::filter_of_all(spec, hashes);
    const TableBlocks blocks(spec);
    ASSERT_GT(blocks.count(), 2U);
    for (const Strategy strategy : kStrategies) {
      const auto frames = ship_tasks(spec, hashes, 3, strategy);
      for (std::uint32_t block = 0; block < blocks.count(); ++block) {
        const TableBuffer buffer(blocks.bytes(block));
        const TableWindow window{buffer.bytes(), TableBlocks::first_byte(block)};
        for (const FrameBytes& bytes : frames) {
          const Frame frame = test::frame_of(bytes);
          if (frame.encoding == Encoding::kTrailer) continue;
          const bool is_here = frame.block == block || frame.block == kWholeTable;
          EXPECT_EQ(merge_frame(frame, spec, window).has_value(), is_here);
        }
        EXPECT_TRUE(test::same_bytes(buffer.bytes(),
                                     all.table().subspan(window.first_byte, window.bytes.size())))
            << to_string(kind) << " " << to_string(strategy) << " block " << block;
      }
    }
  }
}

TEST(MergeFrame, RefusesPayloadsThatDoNotFitTheSpec) {
  const FilterSpec spec = plan_filter(Kind::kClassic, 100, 0.01).value();  // 959 bits
  const auto seeded = laws::with_seeds(spec);
  Filter table = Filter::create(spec).value();
  const auto refuses = [&](const FilterSpec& of, Encoding encoding, std::uint32_t block,
                           const FrameBytes& payload) {
    const Frame frame{1, 0, encoding, block, "g", payload, 0};
    return !merge_frame(frame, of, {table.mutable_table(), 0});
  };
  const auto bytes = [](std::initializer_list<unsigned> list) {
    FrameBytes out;
    for (const unsigned byte : list) out.push_back(static_cast<std::byte>(byte));
    return out;
  };
  FrameBytes raw(table.table().size());
  EXPECT_FALSE(refuses(spec, Encoding::kRaw, 0, raw));
  EXPECT_TRUE(refuses(spec, Encoding::kRaw, 1, raw));
  EXPECT_TRUE(refuses(spec, Encoding::kRaw, kWholeTable, raw));
  EXPECT_TRUE(refuses(spec, Encoding::kTrailer, 0, raw));
  raw.back() = std::byte{0x80};
  EXPECT_TRUE(refuses(spec, Encoding::kRaw, 0, raw));
  raw.pop_back();
  EXPECT_TRUE(refuses(spec, Encoding::kRaw, 0, raw));

  EXPECT_FALSE(refuses(spec, Encoding::kPositions, 0, bytes({0xBE, 3, 0, 0})));  // 958
  EXPECT_TRUE(refuses(spec, Encoding::kPositions, 0, bytes({0xBF, 3, 0, 0})));
  EXPECT_TRUE(refuses(spec, Encoding::kPositions, 0, bytes({1, 0, 0})));

  EXPECT_TRUE(refuses(spec, Encoding::kGaps, 0, {}));
  EXPECT_TRUE(refuses(spec, Encoding::kGaps, 0, bytes({255})));
  EXPECT_FALSE(refuses(spec, Encoding::kGaps, 0, FrameBytes(120)));        // 952 gaps of 1
  EXPECT_TRUE(refuses(spec, Encoding::kGaps, 0, FrameBytes(121)));         // one past the end
  EXPECT_TRUE(refuses(spec, Encoding::kGaps, 0, bytes({0, 0xFF, 0xFF})));  // no end

  const FrameBytes hash(9);
  EXPECT_FALSE(refuses(spec, Encoding::kHashes, 0, hash));
  EXPECT_FALSE(refuses(spec, Encoding::kHashes, kWholeTable, hash));
  EXPECT_TRUE(refuses(seeded, Encoding::kHashes, 0, hash));
  EXPECT_TRUE(refuses(spec, Encoding::kHashes, 0, FrameBytes(8)));
  const auto past_the_last = bytes({255, 255, 255, 255, 255, 255, 255, 255, 0, 0x7D});
  EXPECT_TRUE(refuses(spec, Encoding::kHashes, 0, past_the_last));
}

// The last gap ends the eighth byte after its start, so that it is read as one word.
TEST(MergeFrame, RefusesALastGapThatIsOneCellTooLargeAndWritesNothingOutside) {
  constexpr std::uint64_t kCells = 960;
  constexpr std::uint64_t kLastFrom = 911;
  for (const Kind kind : {Kind::kClassic, Kind::kCounting}) {
    FilterSpec spec = plan_filter(kind, 100, 0.01).value();
    spec.bits = kCells;
    const std::size_t size = table_bytes(kind, kCells);
    const auto merges = [&](std::uint64_t last) {
      FrameBytes payload;
      GapWriter writer(*GolombDivisor::from_byte(std::byte{0}), payload);
      const std::uint64_t zeros = kind == Kind::kCounting ? 7 : 10;
      writer.put(kind == Kind::kCounting ? kLastFrom : kLastFrom - 1 - zeros);
      for (std::uint64_t i = 0; i < zeros; ++i) writer.put(0);
      writer.put(last);
      writer.finish();
      EXPECT_GE(payload.size(), 16U);
      const TableBuffer buffer(size + 64);
      const Frame frame{1, 0, Encoding::kGaps, 0, "g", payload, 0};
      const auto merged = merge_frame(frame, spec, {buffer.bytes().first(size), 0});
      EXPECT_TRUE(std::ranges::all_of(buffer.bytes().subspan(size),
                                      [](std::byte byte) { return byte == std::byte{}; }));
      return merged.has_value();
    };
    EXPECT_TRUE(merges(kCells - 1 - kLastFrom)) << to_string(kind);
    EXPECT_FALSE(merges(kCells - kLastFrom)) << to_string(kind);
  }
}

TEST(PartialLedger, SettlesOnlyTheGroupsThatAreAsked) {
  const FilterSpec spec = plan_filter(Kind::kBlocked, 100, 0.01).value();
  const auto hashes = random_hashes(100, 1);
  const std::span<const KeyHash> piece = hashes;
  const std::vector<GroupKeys> groups{{"a", &spec, std::span(&piece, 1), {}, 100},
                                      {"b", &spec, std::span(&piece, 1), {}, 100}};
  const auto shipped = test::ship({0, Strategy::kAuto, false}, groups);
  PartialLedger ledger;
  EXPECT_TRUE(ledger.note(test::frame_of(shipped.frames[0])).value());
  EXPECT_TRUE(ledger.note(test::frame_of(shipped.frames[2])).value());
  const PartialLedger::Group a{"a", spec_check(spec)};
  const PartialLedger::Group b{"b", spec_check(spec)};
  EXPECT_EQ(ledger.settle(std::span(&a, 1), 1).value(), std::vector<std::uint64_t>{100});
  EXPECT_FALSE(ledger.settle(std::span(&b, 1), 1));
}

}  // namespace
}  // namespace bloomery
