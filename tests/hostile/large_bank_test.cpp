// Sizes around which numbers wrap, and many entries.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <iostream>

#include "bloomery/bank.h"
#include "support/long_run.h"
#include "support/same_bytes.h"
#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void expect_finds_all(const Bank& bank, const test::Sample& sample) {
  const BankEntry* entry = bank.find(sample.group);
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->filter().spec().bits, sample.filter.spec().bits);
  EXPECT_EQ(entry->count(), sample.keys.size());
  const std::vector<std::string_view> keys(sample.keys.begin(), sample.keys.end());
  EXPECT_EQ(entry->filter().may_contain(keys).count(), keys.size());
  EXPECT_FALSE(entry->filter().may_contain("never inserted"));
}

struct Size {
  Kind kind;
  std::uint64_t bits;
};

// A test takes two to three times the table in memory, and a sanitiser ten times as long.
bool is_left_out(const Size& size) {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;
  const std::uint64_t bytes = table_bytes(size.kind, size.bits);
  if (test::kIsSanitised) return bytes >= kGiB;
  return bytes >= 2 * kGiB && !test::is_long_run();
}
constexpr const char* kLeftOut = "a table this large only in ./dev test all, without a sanitiser";

class LargeFilter : public testing::TestWithParam<Size> {};

// The highest hash goes to the last line, at the highest of all positions. A number cut to 32 bits
// on the way would put it elsewhere, and look for it there, so that no question finds out.
void expect_highest_hash_at_the_end(const FilterSpec& spec) {
  Filter filter = Filter::create(spec).value();
  filter.insert(KeyHash{UINT64_MAX});
  const auto table = filter.table();
  const bool is_blocked = spec.kind == Kind::kBlocked;
  const auto last = table.last(is_blocked ? kBlockBytes : 8);
  EXPECT_TRUE(std::ranges::any_of(last, [](std::byte byte) { return byte != std::byte{0}; }));
  EXPECT_EQ(filter.ones(), spec.hashes);
}

// Positions are spread over the whole table: as many in each eighth of it.
void expect_spread(const FilterView& filter) {
  const auto table = filter.table();
  const std::span words(reinterpret_cast<const std::uint64_t*>(table.data()), table.size() / 8);
  for (std::size_t part = 0; part < 8; ++part) {
    std::uint64_t ones = 0;
    for (const std::uint64_t word : words.subspan(part * (words.size() / 8), words.size() / 8)) {
      ones += static_cast<std::uint64_t>(std::popcount(word));
    }
    EXPECT_NEAR(static_cast<double>(ones), 100'000, 5'000) << "part " << part;
  }
}

FilterSpec spec_of(const Size& size) {
  FilterSpec spec;
  spec.kind = size.kind;
  spec.planned_keys = 100'000;
  spec.fpr = 1e-9;
  spec.bits = size.bits;
  spec.hashes = 8;
  return spec;
}

TEST_P(LargeFilter, RoundTrips) {
  if (is_left_out(GetParam())) GTEST_SKIP() << kLeftOut;
  const FilterSpec spec = spec_of(GetParam());
  expect_highest_hash_at_the_end(spec);
  const auto sample = test::make_sample("all", spec, 100'000);
  expect_spread(sample.filter);
  const test::TemporaryFolder folder;
  const std::string path = folder.path("x.bank");
  ASSERT_TRUE(write_bank(path, test::as_filters(std::span(&sample, 1))).has_value());
  const auto start = Clock::now();
  expect_finds_all(Bank::open(path).value(), sample);
  std::cout << std::filesystem::file_size(path) / 1'000'000 << " MB opened by mapping and asked in "
            << milliseconds_since(start) << " ms\n";
  expect_finds_all(Bank::load(path).value(), sample);
}

std::string name_of(const testing::TestParamInfo<Size>& test) {
  return std::string(to_string(test.param.kind)) + std::to_string(test.param.bits);
}

// The table of the counting kind has four bits for each: from 2^30 on its bits pass 2^32.
constexpr std::uint64_t kTwo32 = std::uint64_t{1} << 32U;
INSTANTIATE_TEST_SUITE_P(
    Bits, LargeFilter,
    testing::Values(Size{Kind::kClassic, kTwo32 / 2}, Size{Kind::kClassic, kTwo32},
                    Size{Kind::kClassic, kTwo32 + 64}, Size{Kind::kBlocked, kTwo32 / 2},
                    Size{Kind::kBlocked, kTwo32}, Size{Kind::kBlocked, kTwo32 + 512},
                    Size{Kind::kCounting, kTwo32 / 2}, Size{Kind::kCounting, kTwo32},
                    Size{Kind::kCounting, kTwo32 + 16}),
    name_of);

class LargeFilterInserts : public testing::TestWithParam<Size> {};

// Two threads, each with more than 65,536 keys, sort them for a table of this size.
TEST_P(LargeFilterInserts, SetTheSameBitsSortedOnTwoThreadsAsInSmallBatches) {
  if (is_left_out(GetParam())) GTEST_SKIP() << kLeftOut;
  const FilterSpec spec = spec_of(GetParam());
  std::vector<KeyHash> hashes;
  for (std::uint64_t i = 0; i < 200'000; ++i) hashes.push_back(spec.hasher(i));
  // Of the 200,000 hardly one has a position above 2^32: these have one each.
  for (std::uint64_t i = 0; i < 200; ++i) hashes.push_back(KeyHash{UINT64_MAX - (i << 33U)});
  Filter sorted = Filter::create(spec).value();
  sorted.insert(hashes, 2);
  Filter in_batches = Filter::create(spec).value();
  for (std::size_t at = 0; at < hashes.size(); at += 1'000) {
    in_batches.insert(std::span<const KeyHash>(hashes).subspan(
        at, std::min<std::size_t>(1'000, hashes.size() - at)));
  }
  EXPECT_TRUE(test::same_bytes(sorted.table(), in_batches.table()));
  EXPECT_EQ(sorted.may_contain(hashes, 2).count(), hashes.size());
}

INSTANTIATE_TEST_SUITE_P(Bits, LargeFilterInserts,
                         testing::Values(Size{Kind::kClassic, kTwo32 + 512},
                                         Size{Kind::kBlocked, kTwo32 + 512},
                                         Size{Kind::kCounting, kTwo32 + 512}),
                         name_of);

TEST(ManyEntries, OpenAndAreFound) {
  constexpr std::size_t kEntries = 100'000;
  FilterSpec spec;
  spec.kind = Kind::kBlocked;
  spec.planned_keys = 1;
  spec.bits = 512;
  spec.hashes = 8;
  Filter filter = Filter::create(spec).value();
  filter.insert("key");
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < kEntries; ++i) groups.push_back("group " + std::to_string(i));
  std::vector<GroupFilter> filters;
  for (const auto& group : groups) filters.push_back({group, &filter, 1});
  const test::TemporaryFolder folder;
  const std::string path = folder.path("x.bank");
  ASSERT_TRUE(write_bank(path, filters).has_value());

  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    const auto bank = Bank::open(path);
    best = std::min(best, milliseconds_since(start));
    ASSERT_TRUE(bank);
    ASSERT_EQ(bank->entries().size(), kEntries);
    ASSERT_NE(bank->find(groups[kEntries / 2]), nullptr);
  }
  std::cout << kEntries << " entries opened in " << best << " ms\n";
}

// Hashers without their secret have self-checks that whoever makes the bank chooses. These are all
// equal modulo 172,933 and 351,061, sizes that a hash table of the standard library takes: with one
// keyed by them, this would compare fifty thousand million pairs and run for minutes.
TEST(ManyEntries, OpenInTheSameTimeWhateverTheirSelfChecks) {
  constexpr std::size_t kEntries = 330'000;
  constexpr std::uint64_t kStep = std::uint64_t{172'933} * 351'061;
  const std::array<std::uint64_t, 1> table{};
  std::vector<std::string> groups;
  std::vector<FilterView> views;
  for (std::size_t i = 0; i < kEntries; ++i) {
    FilterSpec spec;
    spec.kind = Kind::kClassic;
    spec.planned_keys = 1;
    spec.bits = 64;
    spec.hashes = 1;
    spec.hasher = Hasher::locked((i + 1) * kStep);
    views.push_back(FilterView::create(spec, std::as_bytes(std::span(table))).value());
    groups.push_back(std::to_string(i));
  }
  std::vector<GroupFilter> filters;
  for (std::size_t i = 0; i < kEntries; ++i) filters.push_back({groups[i], &views[i], 0});
  const test::AlignedBytes bytes(bank_bytes(filters).value());
  OpenOptions options;
  options.allow_locked = true;
  const auto start = Clock::now();
  const auto bank = Bank::from_bytes(bytes.bytes(), "x", options);
  ASSERT_TRUE(bank) << bank.error().message;
  std::cout << kEntries << " entries with a hasher each opened in " << milliseconds_since(start)
            << " ms\n";
  EXPECT_EQ(bank->groups_of("key").size(), kEntries);
}

}  // namespace
}  // namespace bloomery
