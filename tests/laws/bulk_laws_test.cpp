// Calls with very many keys, and calls on several threads: the same bits and answers as key by key.
//
// The sizes are chosen by batch.cpp and bulk.cpp: a call is shared out from 65,536 keys a thread
// on, threads have private tables up to 16 MiB, and from 32 MiB and 4 Mi lines on keys are sorted
// first.
#include <algorithm>
#include <array>
#include <iostream>
#include <thread>

#include "filter/batch.h"
#include "filter/bulk.h"
#include "filter/hash_source.h"
#include "laws/law.h"

namespace bloomery::laws {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;
constexpr std::size_t kSmallBatch = 10'007;

FilterSpec spec_of_bytes(Kind kind, std::uint64_t bytes, std::uint32_t hashes) {
  FilterSpec spec;
  spec.kind = kind;
  spec.planned_keys = 1'000'000;
  spec.bits = bits_in_bytes(kind, bytes).value();
  if (kind != Kind::kBlocked) spec.bits -= 5;  // so that the last word is not full
  spec.hashes = hashes;
  return spec;
}

template <typename Work>
void in_small_batches(std::size_t size, const Work& work) {
  for (std::size_t begin = 0; begin < size; begin += kSmallBatch) {
    work(begin, std::min(kSmallBatch, size - begin));
  }
}

Filter filled_in_small_batches(const FilterSpec& spec, std::span<const KeyHash> hashes) {
  Filter filter = Filter::create(spec).value();
  in_small_batches(hashes.size(), [&](std::size_t begin, std::size_t count) {
    filter.insert(hashes.subspan(begin, count));
  });
  return filter;
}

// Every second of `hashes` was inserted; the question is asked of all of them.
void expect_same_answers(const FilterView& filter, std::span<const KeyHash> hashes,
                         unsigned threads) {
  const Answers answers = filter.may_contain(hashes, threads);
  ASSERT_EQ(answers.size(), hashes.size());
  std::size_t wrong = 0;
  in_small_batches(hashes.size(), [&](std::size_t begin, std::size_t count) {
    const Answers expected = filter.may_contain(hashes.subspan(begin, count));
    for (std::size_t i = 0; i < count; ++i) wrong += answers[begin + i] == expected[i] ? 0U : 1U;
  });
  EXPECT_EQ(wrong, 0U) << threads << " threads";
  if (hashes.size() % 64 != 0) {
    EXPECT_EQ(answers.words().back() >> (hashes.size() % 64), 0U) << "unused bits";
  }
}

void expect_same_as_small_batches(const FilterSpec& spec, std::size_t keys,
                                  std::initializer_list<unsigned> thread_counts) {
  const auto hashes = hashes_of_numbers(keys);
  std::vector<KeyHash> inserted;
  for (std::size_t i = 0; i < keys; i += 2) inserted.push_back(hashes[i]);
  const Filter expected = filled_in_small_batches(spec, inserted);
  for (const unsigned threads : thread_counts) {
    Filter filter = Filter::create(spec).value();
    filter.insert(inserted, threads);
    EXPECT_TRUE(same_table(filter, expected)) << threads << " threads";
    expect_same_answers(expected, hashes, threads);
  }
}

class ThreadLaws : public LawOfKind {};

TEST_P(ThreadLaws, AnyNumberOfThreadsSetsTheSameBits) {
  std::vector<std::string> texts;
  for (int i = 0; i < 270'001; ++i) texts.push_back("key " + std::to_string(i));
  const auto keys = views_of(texts);
  Filter expected = make(100'000);
  for (const std::string_view key : keys) expected.insert(key);
  for (const unsigned threads : {0U, 1U, 2U, 3U, 4U, 64U}) {
    Filter filter = make(100'000);
    filter.insert(keys, threads);
    EXPECT_TRUE(same_table(filter, expected)) << threads << " threads";
  }
}

TEST_P(ThreadLaws, AnyNumberOfThreadsGivesTheSameAnswers) {
  std::vector<std::string> texts;
  for (int i = 0; i < 270'001; ++i) texts.push_back("key " + std::to_string(i));
  const auto keys = views_of(texts);
  Filter filter = make(100'000);
  for (std::size_t i = 0; i < keys.size(); i += 3) filter.insert(keys[i]);
  const Answers expected = filter.may_contain(keys);
  for (const unsigned threads : {0U, 2U, 3U, 4U, 64U}) {
    EXPECT_TRUE(same_words(filter.may_contain(keys, threads).words(), expected.words()))
        << threads << " threads";
  }
}

TEST_P(ThreadLaws, NumbersAreKeysOfEightBytes) {
  // More than a word of answers, and an odd length; then enough for two threads. The filter is too
  // large for the second-level cache, where batches of texts have a loop of their own.
  for (const std::size_t count : {1U, 63U, 64U, 65U, 127U, 128U, 129U, 1'025U, 140'001U}) {
    std::vector<std::uint64_t> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = i * 0x9E3779B97F4A7C15U;
    std::vector<std::string_view> keys;
    for (const std::uint64_t& number : numbers) {
      keys.emplace_back(reinterpret_cast<const char*>(&number), sizeof number);
    }
    const std::size_t half = count / 2;
    for (const unsigned threads : {1U, 2U}) {
      Filter expected = make(300'000);
      expected.insert(std::span(keys).first(half));
      Filter filter = make(300'000);
      filter.insert(std::span<const std::uint64_t>(numbers).first(half), threads);
      EXPECT_TRUE(same_table(filter, expected)) << count << " keys, " << threads << " threads";
      EXPECT_TRUE(same_words(filter.may_contain(numbers, threads).words(),
                             filter.may_contain(keys, threads).words()));
      for (std::size_t i = 0; i < half; i += 97) EXPECT_TRUE(filter.may_contain(keys[i]));
    }
  }
}

TEST_P(ThreadLaws, ThreadsWithFiltersOfTheirOwnMergeToTheSameBits) {
  std::vector<std::string> texts;
  for (int i = 0; i < 10'000; ++i) texts.push_back("key " + std::to_string(i));
  const auto keys = views_of(texts);
  Filter expected = make(10'000);
  expected.insert(keys);
  std::vector<Filter> partials;
  for (int i = 0; i < 4; ++i) partials.push_back(make(10'000));
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < partials.size(); ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = t; i < keys.size(); i += partials.size()) partials[t].insert(keys[i]);
      });
    }
  }
  Filter merged = make(10'000);
  for (const Filter& partial : partials) {
    EXPECT_FALSE(same_table(partial, expected));
    ASSERT_TRUE(merged.merge(partial));
  }
  EXPECT_TRUE(same_table(merged, expected));
}

INSTANTIATE_TEST_SUITE_P(Kinds, ThreadLaws, testing::ValuesIn(every_kind()), name_of);

// From 128 Ki keys on two threads share a call out: 300,001 keys, of which half are inserted.
TEST(ThreadTables, PrivateTablesMergeToTheSameBits) {
  for (const Kind kind : {Kind::kClassic, Kind::kCounting}) {
    expect_same_as_small_batches(spec_of_bytes(kind, kMiB, 5), 300'001, {2, 3, 4});
  }
  expect_same_as_small_batches(spec_of_bytes(Kind::kBlocked, kMiB, 8), 300'001, {2, 3, 4});
}

// A table that is too large for a copy a thread: keys are sorted, and every thread writes a part.
TEST(ThreadTables, PartsOfOneTableGetTheSameBits) {
  for (const Kind kind : {Kind::kClassic, Kind::kCounting}) {
    expect_same_as_small_batches(spec_of_bytes(kind, 17 * kMiB, 5), 300'001, {2, 3, 4});
  }
  expect_same_as_small_batches(spec_of_bytes(Kind::kBlocked, 17 * kMiB, 8), 300'001, {2, 3, 4});
}

// Calls are sorted from 32 MiB and millions of keys on, which takes a sanitiser minutes. So here
// the sorting itself, of a table with four parts.
template <typename Insert>
void expect_sorted_inserts(const FilterSpec& spec, const Insert& insert) {
  const auto hashes = hashes_of_numbers(100'001);
  const Filter expected = filled_in_small_batches(spec, hashes);
  for (const unsigned threads : {1U, 2U, 3U, 4U}) {
    Filter filter = Filter::create(spec).value();
    insert(filter, HashSource(hashes), threads);
    EXPECT_TRUE(same_table(filter, expected)) << threads << " threads";
  }
}

BlockedTable blocked_table_of(Filter& filter) {
  return {&blocked_kernel_of(filter.spec()),
          reinterpret_cast<std::uint64_t*>(filter.mutable_table().data()),
          filter.spec().bits / kBlockBits};
}

TEST(ThreadTables, SortedKeysSetTheSameBits) {
  expect_sorted_inserts(spec_of_bytes(Kind::kBlocked, 2 * kMiB, 8),
                        [](Filter& filter, const HashSource& source, unsigned threads) {
                          bulk_insert(blocked_table_of(filter), source, threads);
                        });
  for (const Kind kind : {Kind::kClassic, Kind::kCounting}) {
    expect_sorted_inserts(spec_of_bytes(kind, 2 * kMiB, 5),
                          [](Filter& filter, const HashSource& source, unsigned threads) {
                            bulk_insert(cells_of(filter.spec(), filter.mutable_table()), source,
                                        threads);
                          });
  }
}

TEST(ThreadTables, SortedQuestionsGetTheSameAnswers) {
  const auto hashes = hashes_of_numbers(100'001);
  for (const std::uint32_t k : {8U, 16U}) {
    const FilterSpec spec = spec_of_bytes(Kind::kBlocked, 2 * kMiB, k);
    Filter filter = Filter::create(spec).value();
    filter.insert(std::span<const KeyHash>(hashes).first(50'000));
    const Answers expected = filter.may_contain(hashes);
    const BlockedTable table = blocked_table_of(filter);
    for (const unsigned threads : {1U, 2U, 3U, 4U}) {
      Answers answers(hashes.size());
      bulk_query(*table.kernel, table.words, table.blocks, HashSource(hashes),
                 answers.words().data(), threads);
      EXPECT_TRUE(same_words(answers.words(), expected.words())) << threads << " threads";
    }
  }
}

TEST(ThreadTables, PiecesOfAnySizeGiveTheSameBits) {
  const auto hashes = hashes_of_numbers(300'001);
  std::vector<std::span<const KeyHash>> pieces;
  constexpr std::array<std::size_t, 7> kSizes{0, 1, 63, 5'000, 0, 1'024, 70'001};
  for (std::span<const KeyHash> rest(hashes); !rest.empty();) {
    const std::size_t size = std::min(kSizes[pieces.size() % kSizes.size()], rest.size());
    pieces.push_back(rest.first(size));
    rest = rest.subspan(size);
  }
  pieces.emplace_back();
  for (const std::size_t bytes : {kMiB, 17 * kMiB}) {
    for (const FilterSpec& spec :
         {spec_of_bytes(Kind::kBlocked, bytes, 8), spec_of_bytes(Kind::kCounting, bytes, 5)}) {
      const Filter expected = filled_in_small_batches(spec, hashes);
      for (const unsigned threads : {1U, 3U}) {
        Filter filter = Filter::create(spec).value();
        filter.insert_pieces(pieces, threads);
        EXPECT_TRUE(same_table(filter, expected)) << bytes << " bytes, " << threads << " threads";
      }
    }
  }
}

TEST(ThreadTables, FullCountersStopAtFifteenOnEveryThread) {
  const FilterSpec spec = spec_of_bytes(Kind::kCounting, 64, 2);
  std::vector<KeyHash> hashes;
  for (int i = 0; i < 3; ++i) {
    const auto some = hashes_of_numbers(50'000);
    hashes.insert(hashes.end(), some.begin(), some.end());
  }
  const Filter expected = filled_in_small_batches(spec, hashes);
  Filter filter = Filter::create(spec).value();
  filter.insert(hashes, 2);
  EXPECT_TRUE(same_table(filter, expected));
}

TEST(BulkLaws, SortedBlockedCallsAreTheSameAsSmallBatches) {
  expect_same_as_small_batches(spec_of_bytes(Kind::kBlocked, 33 * kMiB, 8), 8'500'003, {1, 2});
}

TEST(BulkLaws, SortedBlockedCallsWithSixteenHashesAreTheSameAsSmallBatches) {
  expect_same_as_small_batches(spec_of_bytes(Kind::kBlocked, 32 * kMiB, 16), 8'500'003, {3});
}

TEST(BulkLaws, SortedClassicCallsAreTheSameAsSmallBatches) {
  expect_same_as_small_batches(spec_of_bytes(Kind::kClassic, 33 * kMiB, 7), 1'300'001, {1, 2});
}

// 38 million positions, which take two rounds.
TEST(BulkLaws, SortedClassicCallsOfSeveralRoundsAreTheSameAsSmallBatches) {
  expect_same_as_small_batches(spec_of_bytes(Kind::kClassic, 40 * kMiB, 64), 1'200'001, {2});
}

TEST(BulkLaws, SortedCountingCallsAreTheSameAsSmallBatches) {
  expect_same_as_small_batches(spec_of_bytes(Kind::kCounting, 33 * kMiB, 7), 1'300'001, {1, 2});
}

TEST(BulkLaws, SortedCallsOfTextsAreTheSameAsSmallBatches) {
  std::vector<std::string> texts;
  for (int i = 0; i < 1'000'003; ++i) texts.push_back(std::to_string(i));
  const auto some = views_of(texts);
  std::vector<std::string_view> keys;
  // Longer than a round only in a long run.
  const std::size_t wanted = is_long_run() ? 34'000'000 : 4'300'000;
  while (keys.size() < wanted) keys.insert(keys.end(), some.begin(), some.end());
  const FilterSpec spec = spec_of_bytes(Kind::kBlocked, 33 * kMiB, 8);
  Filter expected = Filter::create(spec).value();
  expected.insert(std::span(some).first(some.size() / 2));
  Filter filter = Filter::create(spec).value();
  std::vector<std::string_view> inserted;
  while (inserted.size() < wanted) {
    inserted.insert(inserted.end(), some.begin(),
                    some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2));
  }
  filter.insert(inserted, 2);
  EXPECT_TRUE(same_table(filter, expected));
  const Answers answers = filter.may_contain(keys, 2);
  std::size_t wrong = 0;
  const Answers once = expected.may_contain(some);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    wrong += answers[i] == once[i % some.size()] ? 0U : 1U;
  }
  EXPECT_EQ(wrong, 0U);
}

TEST(BulkLaws, SortedCallsOfNumbersAreTheSameAsSortedCallsOfTheirHashes) {
  const FilterSpec spec = spec_of_bytes(Kind::kBlocked, 33 * kMiB, 8);
  std::vector<std::uint64_t> numbers(4'400'003);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  std::vector<KeyHash> hashes(numbers.size());
  spec.hasher.hash_all(numbers, hashes);
  Filter expected = Filter::create(spec).value();
  expected.insert(std::span<const KeyHash>(hashes).first(4'300'000));
  for (const unsigned threads : {1U, 2U}) {
    Filter filter = Filter::create(spec).value();
    filter.insert(std::span<const std::uint64_t>(numbers).first(4'300'000), threads);
    EXPECT_TRUE(same_table(filter, expected)) << threads << " threads";
    EXPECT_TRUE(same_words(filter.may_contain(numbers, threads).words(),
                           expected.may_contain(hashes).words()));
  }
}

TEST(BulkLaws, BlockedCallsOfSeveralRoundsAreTheSameAsSmallBatches) {
  if (!is_long_run()) {
    std::cout << "short form: one round, in the tests above; BLOOMERY_TEST_LONG=1 runs two\n";
    return;
  }
  expect_same_as_small_batches(spec_of_bytes(Kind::kBlocked, 64 * kMiB, 8), 70'000'003, {1, 4});
}

}  // namespace
}  // namespace bloomery::laws
