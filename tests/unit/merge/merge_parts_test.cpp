#include "merge/merge_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "laws/law.h"
#include "partial/blocks.h"
#include "support/contains.h"
#include "support/partials.h"
#include "support/same_bytes.h"

namespace bloomery {
namespace {

using test::FrameBytes;
using test::random_hashes;

struct Sent {
  std::uint32_t part = 0;
  FrameBytes frame;
};

std::vector<GroupPlan> plan_of(const FilterSpec& spec) {
  return {{"g", spec, 0}, {"small", plan_filter(Kind::kBlocked, 10, 0.01).value(), 0}};
}

// What `tasks` tasks send to the parts.
std::vector<Sent> send(const PartLayout& layout, std::span<const KeyHash> hashes,
                       std::uint32_t tasks, Strategy strategy) {
  std::vector<Sent> sent;
  for (std::uint32_t task = 0; task < tasks; ++task) {
    const std::size_t begin = hashes.size() * task / tasks;
    const auto some = hashes.subspan(begin, hashes.size() * (task + 1) / tasks - begin);
    for (auto& frame :
         test::ship_hashes({task, strategy, false}, "g", layout.plan()[0].spec, some).frames) {
      const auto parts = layout.parts_of(test::frame_of(frame)).value();
      for (const std::uint32_t part : parts) {
        sent.push_back({part, frame});
      }
    }
  }
  return sent;
}

struct Merged {
  std::vector<std::byte> table;
  Receipt receipt;
};

Result<Merged> merge(const PartLayout& layout, std::uint32_t parts, std::span<const Sent> sent) {
  Merged merged;
  const FilterSpec& spec = layout.plan()[0].spec;
  merged.table.resize(table_bytes(spec.kind, spec.bits));
  for (std::uint32_t part = 0; part < parts; ++part) {
    PartMerger merger(layout, part);
    for (const Sent& one : sent) {
      if (one.part != part) continue;
      if (auto added = merger.add(one.frame); !added) return added.error();
    }
    auto done = merger.finish([&](std::size_t group, std::uint64_t offset, auto bytes) {
      EXPECT_EQ(group, 0U);
      EXPECT_LE(bytes.size(), std::size_t{1} << 20U);
      std::memcpy(merged.table.data() + offset, bytes.data(), bytes.size());
      return Result<void>();
    });
    if (!done) return done.error();
    const auto receipt = Receipt::from_json(merger.receipt().to_json());
    if (!receipt) return receipt.error();
    if (done = merged.receipt.merge(*receipt); !done) return done.error();
  }
  return merged;
}

std::string error_of(const Result<Merged>& merged, const std::vector<GroupPlan>& plan,
                     std::uint64_t tasks) {
  if (!merged) return merged.error().message;
  const auto settled = merged->receipt.settle(plan, tasks);
  return settled ? "no error" : settled.error().message;
}

TEST(MergeParts, GiveTheTableOfAllKeysForEveryKindStrategyAndNumberOfParts) {
  const auto hashes = random_hashes(3000, 7);
  for (const Kind kind : {Kind::kBlocked, Kind::kClassic, Kind::kCounting}) {
    // A small table, and one of several windows.
    for (const std::uint64_t keys : {std::uint64_t{3000}, std::uint64_t{24'000'000}}) {
      const auto plan = plan_of(plan_filter(kind, keys, 0.01).value());
      const auto whole = test::filter_of_all(plan[0].spec, hashes);
      for (const Strategy strategy : {Strategy::kIndexes, Strategy::kAuto}) {
        for (const std::uint32_t parts : {1U, 3U}) {
          const PartLayout layout(plan, parts);
          const auto merged = merge(layout, parts, send(layout, hashes, 3, strategy));
          ASSERT_TRUE(merged) << merged.error().message;
          EXPECT_TRUE(test::same_bytes(merged->table, whole.table()));
          const auto keys_of = merged->receipt.settle(plan, 3);
          ASSERT_TRUE(keys_of) << keys_of.error().message;
          EXPECT_EQ(keys_of->at(0), 3000U);
          EXPECT_EQ(keys_of->at(1), 0U);
        }
      }
    }
  }
}

TEST(MergeParts, WhatIsLostDoubledOrOfAnotherPlanStopsTheBuild) {
  const auto plan = plan_of(plan_filter(Kind::kBlocked, 100'000, 0.01).value());
  const PartLayout layout(plan, 2);
  const auto sent = send(layout, random_hashes(5000, 1), 2, Strategy::kAuto);
  ASSERT_EQ(error_of(merge(layout, 2, sent), plan, 2), "no error");

  EXPECT_PRED2(test::contains, error_of(merge(layout, 2, std::span(sent).subspan(1)), plan, 2),
               "frames were sent");
  auto doubled = sent;
  doubled.push_back(sent.front());
  EXPECT_PRED2(test::contains, error_of(merge(layout, 2, doubled), plan, 2), "arrived");
  doubled = sent;
  doubled.push_back(sent.back());
  EXPECT_PRED2(test::contains, error_of(merge(layout, 2, doubled), plan, 2), "came twice");
  EXPECT_PRED2(test::contains, error_of(merge(layout, 2, sent), plan, 3), "2 tasks have sent");

  const auto other = plan_of(plan_filter(Kind::kBlocked, 100'000, 0.02).value());
  const PartLayout wrong(other, 2);
  EXPECT_NE(error_of(merge(wrong, 2, sent), other, 2), "no error");
  auto damaged = sent;
  damaged.front().frame.back() ^= std::byte{1};
  EXPECT_PRED2(test::contains, error_of(merge(layout, 2, damaged), plan, 2), "damaged");

  // A task that ran again and found other records after its first trailer had been fetched.
  auto other_records = sent;
  other_records.front() = send(layout, random_hashes(5000, 2), 2, Strategy::kAuto).front();
  EXPECT_PRED2(test::contains, error_of(merge(layout, 2, other_records), plan, 2),
               "the input gave other records");
}

TEST(MergeParts, KeysThatDoNotFit64BitsStopTheBuild) {
  const auto plan = plan_of(plan_filter(Kind::kBlocked, 100, 0.01).value());
  // Both trailers in one part, and each in a part of its own.
  for (const std::uint32_t parts : {1U, 2U}) {
    const PartLayout layout(plan, parts);
    std::vector<Sent> sent;
    for (const std::uint32_t task : {0U, 1U}) {
      const TrailerGroup group{"g", task == 0 ? UINT64_MAX : 1, 0, 0, spec_check(plan[0].spec)};
      sent.push_back({task % parts, write_trailer(task, 0, {&group, 1}).value()});
    }
    EXPECT_PRED2(test::contains, error_of(merge(layout, parts, sent), plan, 2),
                 "its keys do not fit 64 bits");
  }
}

TEST(MergeParts, HashesForAWholeTableMustArriveOnceInEveryPart) {
  constexpr std::uint32_t kParts = 3;
  for (const Kind kind : {Kind::kClassic, Kind::kCounting}) {
    // A table of three windows, and few keys, so that their hashes weigh less than gaps.
    const std::uint64_t keys = kind == Kind::kClassic ? 36'000'000 : 9'000'000;
    const auto plan = plan_of(plan_filter(kind, keys, 0.01).value());
    const PartLayout layout(plan, kParts);
    const auto error = [&](std::span<const Sent> sent) {
      return error_of(merge(layout, kParts, sent), plan, 1);
    };
    const auto sent = send(layout, random_hashes(50, 1), 1, Strategy::kAuto);
    ASSERT_EQ(sent.size(), kParts + 1U);
    for (std::uint32_t part = 0; part < kParts; ++part) ASSERT_EQ(sent[part].part, part);
    ASSERT_EQ(test::frame_of(sent[0].frame).block, kWholeTable);
    ASSERT_EQ(error(sent), "no error");
    const auto other = send(layout, random_hashes(50, 2), 1, Strategy::kAuto);
    for (std::uint32_t part = 0; part < kParts; ++part) {
      const std::string what = part == 0 ? "arrived" : "in every part";
      auto lost = sent;
      lost.erase(lost.begin() + part);
      EXPECT_PRED2(test::contains, error(lost), what) << part;
      auto doubled = sent;
      doubled.push_back(sent[part]);
      EXPECT_PRED2(test::contains, error(doubled), what) << part;
      auto changed = sent;
      changed[part] = other[part];
      EXPECT_PRED2(test::contains, error(changed), what) << part;
      auto doubled_elsewhere = sent;
      doubled_elsewhere[part].part = (part + 1) % kParts;
      EXPECT_PRED2(test::contains, error(doubled_elsewhere), "arriv") << part;
    }
  }
}

}  // namespace
}  // namespace bloomery
