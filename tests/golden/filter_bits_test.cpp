// The bits that a few keys set in small filters of every kind, as a model in Python sets them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/filter.h"

namespace bloomery {
namespace {

struct GoldenFilter {
  std::string_view kind;
  std::string_view hash;
  std::uint64_t seed;
  std::uint64_t bits;
  std::uint32_t hashes;
  std::vector<std::uint64_t> seeds;
  std::string_view table;
};

#include "golden/filter_bits.inc"

constexpr std::string_view kQuestion =
    "did you mean to change the format? every bank that exists has its bits where they are here";

// As in make_filter_bits.py.
std::vector<std::string> keys() {
  using namespace std::string_literals;
  return {"", "alice", "bob", "carol", "caf\xc3\xa9", "\0\xff\x80"s, std::string(300, 'x')};
}

Hasher hasher_of(const GoldenFilter& golden) {
  const HashId id = hash_from_string(golden.hash).value();
  if (id != HashId::kSip) return Hasher::create(id, golden.seed).value();
  SecretKey secret{};
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<std::byte>(i);
  return Hasher::with_secret(secret);
}

Filter make(const GoldenFilter& golden) {
  FilterSpec spec;
  spec.kind = kind_from_string(golden.kind).value();
  spec.hasher = hasher_of(golden);
  spec.planned_keys = 1;
  spec.bits = golden.bits;
  spec.hashes = golden.hashes;
  spec.seeds = golden.seeds;
  return Filter::create(spec).value();
}

std::string hex_of(const FilterView& filter) {
  std::string text;
  for (const std::byte byte : filter.table()) {
    text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  }
  return text;
}

TEST(FilterBits, AreWhereTheyHaveAlwaysBeen) {
  for (const GoldenFilter& golden : kGoldenFilters) {
    Filter one_by_one = make(golden);
    for (const std::string& key : keys()) one_by_one.insert(key);
    EXPECT_EQ(hex_of(one_by_one), golden.table)
        << golden.kind << " " << golden.hash << " of " << golden.bits << " bits; " << kQuestion;
    Filter batch = make(golden);
    const auto texts = keys();
    batch.insert(std::vector<std::string_view>(texts.begin(), texts.end()));
    EXPECT_EQ(hex_of(batch), golden.table) << golden.kind << "; " << kQuestion;
  }
}

TEST(FilterBits, EveryKindIsPinned) {
  for (const Kind kind : {Kind::kClassic, Kind::kBlocked, Kind::kCounting}) {
    bool is_pinned = false;
    for (const GoldenFilter& golden : kGoldenFilters) is_pinned |= golden.kind == to_string(kind);
    EXPECT_TRUE(is_pinned) << to_string(kind);
  }
}

TEST(FilterBits, KindsHaveTheirNumbers) {
  EXPECT_EQ(static_cast<int>(Kind::kClassic), 1) << kQuestion;
  EXPECT_EQ(static_cast<int>(Kind::kBlocked), 2) << kQuestion;
  EXPECT_EQ(static_cast<int>(Kind::kCounting), 3) << kQuestion;
  EXPECT_EQ(static_cast<int>(Dialect::kBloomery), 1) << kQuestion;
}

}  // namespace
}  // namespace bloomery
