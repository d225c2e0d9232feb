#include "verify/wire.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/checksum.h"
#include "base/endian.h"
#include "verify_sample.h"

namespace bloomery {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): the helpers of this folder

class WireTest : public ::testing::Test {
 protected:
  WireTest() {
    compact(run_.candidates);
    settle(run_.candidates, settled_);
  }

  static std::vector<Record> with_outsiders() {
    auto records = mixed_records(300, 30);
    for (int i = 0; i < 50; ++i) records.push_back({"out\n", "absent " + std::to_string(i)});
    records.push_back({"far out", "key"});
    return records;
  }

  // Every frame of this test, and whether some bytes are one of its kind.
  struct Frame {
    std::vector<std::byte> bytes;
    std::function<bool(std::span<const std::byte>)> is_taken;
  };
  std::vector<Frame> frames() {
    const Bank& bank = bank_.bank();
    return {
        {encode(run_.counts), [&](auto bytes) { return decode_counts(bytes, bank).has_value(); }},
        {encode(run_.candidates, bank),
         [&](auto bytes) { return decode_candidates(bytes, bank).has_value(); }},
        {encode(settled_, bank),
         [&](auto bytes) { return decode_settled(bytes, bank).has_value(); }}};
  }

  std::vector<Record> records_ = with_outsiders();
  VerifyBank bank_{records_, 40, 0.1};
  JobRun run_ = run_tasks(bank_.bank(), records_, 100,
                          {KeySample::create(0.9).value(), Evidence::kAllRecords});
  SettledGroups settled_{bank_.bank().entries().size()};
};

TEST_F(WireTest, BringsBackWhatWasSent) {
  const Bank& bank = bank_.bank();
  EXPECT_EQ(decode_counts(encode(run_.counts), bank).value(), run_.counts);
  EXPECT_EQ(run_.counts.outside.size(), 2U);
  EXPECT_EQ(decode_candidates(encode(run_.candidates, bank), bank).value(), run_.candidates);
  EXPECT_GT(run_.candidates.size(), 100U);
  EXPECT_EQ(decode_settled(encode(settled_, bank), bank).value(), settled_);
  EXPECT_TRUE(decode_candidates(encode(std::vector<Candidate>{}, bank), bank)->empty());
}

TEST_F(WireTest, RefusesEveryPrefixEveryChangedByteAndMore) {
  for (const Frame& frame : frames()) {
    ASSERT_TRUE(frame.is_taken(frame.bytes));
    for (std::size_t size = 0; size < frame.bytes.size(); size += size < 600 ? 1 : 97) {
      ASSERT_FALSE(frame.is_taken(std::span(frame.bytes).first(size))) << size;
    }
    auto changed = frame.bytes;
    for (std::size_t i = 0; i < changed.size(); i += i < 600 ? 1 : 97) {
      changed[i] ^= std::byte{0x10};
      ASSERT_FALSE(frame.is_taken(changed)) << i;
      changed[i] ^= std::byte{0x10};
    }
    changed.push_back(std::byte{0});
    EXPECT_FALSE(frame.is_taken(changed));
  }
}

TEST_F(WireTest, RefusesFramesOfAnotherKindOrBank) {
  const auto all = frames();
  EXPECT_FALSE(all[0].is_taken(all[1].bytes));
  EXPECT_FALSE(all[1].is_taken(all[2].bytes));
  EXPECT_FALSE(all[2].is_taken(all[0].bytes));
  const VerifyBank other(records_, 50, 0.1);
  EXPECT_EQ(decode_counts(all[0].bytes, other.bank()).error().code, ErrorCode::kMismatch);
  EXPECT_FALSE(decode_candidates(all[1].bytes, other.bank()));
  EXPECT_FALSE(decode_settled(all[2].bytes, other.bank()));
}

// A frame whose checksum is right and whose numbers lie.
std::vector<std::byte> repaired(std::vector<std::byte> frame) {
  const auto body = std::span(frame).first(frame.size() - 8);
  store_le(frame.data() + body.size(), checksum64(body));
  return frame;
}

TEST_F(WireTest, RefusesNumbersWithoutAMeaning) {
  const Bank& bank = bank_.bank();
  const auto lie = [](std::vector<std::byte> frame, std::size_t offset, auto value) {
    store_le(frame.data() + offset, value);
    return repaired(std::move(frame));
  };
  const auto counts = encode(run_.counts);
  const auto candidates = encode(run_.candidates, bank);
  const auto settled = encode(settled_, bank);
  ASSERT_TRUE(decode_counts(repaired(counts), bank));
  EXPECT_FALSE(decode_counts(lie(counts, 40, std::uint64_t{2}), bank)) << "evidence";
  EXPECT_FALSE(decode_counts(lie(counts, 56, run_.counts.records + 1), bank)) << "records";
  EXPECT_FALSE(decode_counts(lie(counts, 72, std::uint64_t{7}), bank)) << "groups";
  EXPECT_FALSE(decode_counts(lie(counts, 72, UINT64_MAX), bank)) << "groups";
  EXPECT_FALSE(decode_counts(lie(counts, 88, UINT64_MAX), bank)) << "denied";
  EXPECT_FALSE(decode_counts(lie(counts, 96, UINT64_MAX), bank)) << "hits";
  EXPECT_FALSE(decode_candidates(lie(candidates, 40, UINT64_MAX / 32), bank)) << "count";
  EXPECT_FALSE(decode_candidates(lie(candidates, 64, std::uint32_t{99}), bank)) << "own group";
  EXPECT_FALSE(decode_candidates(lie(candidates, 68, std::uint32_t{99}), bank)) << "hit group";
  EXPECT_FALSE(decode_candidates(lie(candidates, 72, std::uint64_t{0}), bank)) << "records";
  EXPECT_FALSE(decode_settled(lie(settled, 40, std::uint64_t{1}), bank)) << "groups";
  EXPECT_FALSE(decode_settled(lie(settled, 56, UINT64_MAX), bank)) << "true hits";
}

}  // namespace
}  // namespace bloomery
