#include "query/bank_query.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bloomery/sizing.h"
#include "support/sample_banks.h"

namespace bloomery {
namespace {

using test::AlignedBytes;
using test::Sample;

// A bank of every kind and hash, and more keys than a run has, of all groups and of none.
class BankQueryTest : public ::testing::Test {
 protected:
  BankQueryTest() {
    for (const Sample& sample : samples_) {
      texts_.insert(texts_.end(), sample.keys.begin(), sample.keys.end());
    }
    for (int i = 0; i < 40'000; ++i) texts_.push_back("absent " + std::to_string(i));
    texts_.emplace_back();
    std::rotate(texts_.begin(), texts_.begin() + 17'001, texts_.end());
    keys_.assign(texts_.begin(), texts_.end());
  }

  std::vector<Sample> samples_ = test::samples_of_every_kind();
  AlignedBytes bytes_{test::bytes_of(samples_)};
  Bank bank_ = Bank::from_bytes(bytes_.bytes(), "bank", test::with_secret()).value();
  std::vector<std::string> texts_;
  std::vector<std::string_view> keys_;
};

TEST_F(BankQueryTest, GivesTheListsThatTheBankGivesKeyByKeyOnAnyNumberOfThreads) {
  for (const unsigned threads : {1U, 3U}) {
    const auto query = BankQuery::create(bank_, {}, threads);
    ASSERT_TRUE(query);
    const GroupLists lists = query->groups_of(keys_);
    ASSERT_EQ(lists.size(), keys_.size());
    std::size_t hits = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const auto expected = bank_.groups_of(keys_[i]);
      ASSERT_TRUE(std::ranges::equal(lists[i], expected)) << "key " << texts_[i];
      hits += expected.size();
    }
    EXPECT_GT(hits, 1'500U);
  }
}

TEST_F(BankQueryTest, CountsWhatTheListsHold) {
  const BankQuery query = BankQuery::create(bank_, {}, 2).value();
  const GroupLists lists = query.groups_of(keys_);
  QueryCounts expected;
  expected.by_group.resize(bank_.entries().size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    ++(lists[i].empty() ? expected.rejected : expected.admitted);
    for (const std::uint32_t entry : lists[i]) ++expected.by_group[entry];
  }
  const QueryCounts counts = query.count(keys_);
  EXPECT_EQ(counts.admitted, expected.admitted);
  EXPECT_EQ(counts.rejected, expected.rejected);
  EXPECT_EQ(counts.by_group, expected.by_group);
  EXPECT_GT(counts.rejected, 30'000U);
}

TEST_F(BankQueryTest, KeepsKeysOfAnyGroupAndTheOthersInverted) {
  const BankQuery query = BankQuery::create(bank_, {}, 3).value();
  const GroupLists lists = query.groups_of(keys_);
  const Answers any = query.any_of(keys_);
  const Answers none = query.none_of(keys_);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    ASSERT_EQ(any[i], !lists[i].empty()) << texts_[i];
    ASSERT_EQ(none[i], lists[i].empty()) << texts_[i];
  }
  EXPECT_EQ(any.count() + none.count(), keys_.size());
}

TEST_F(BankQueryTest, AsksOnlyTheGroupsNamedEachOnce) {
  const std::vector<std::string> groups{"seeds", "blocked8", "seeds"};
  const BankQuery query = BankQuery::create(bank_, groups).value();
  ASSERT_EQ(query.asked().size(), 2U);
  EXPECT_EQ(bank_.entries()[query.asked()[0]].group(), "blocked8");
  EXPECT_EQ(bank_.entries()[query.asked()[1]].group(), "seeds");
  const Answers any = query.any_of(keys_);
  const GroupLists lists = query.groups_of(keys_);
  const QueryCounts counts = query.count(keys_);
  ASSERT_EQ(counts.by_group.size(), 2U);
  std::uint64_t in_seeds = 0;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const bool is_in_blocked = bank_.find("blocked8")->filter().may_contain(keys_[i]);
    const bool is_in_seeds = bank_.find("seeds")->filter().may_contain(keys_[i]);
    ASSERT_EQ(any[i], is_in_blocked || is_in_seeds);
    ASSERT_EQ(lists[i].size(), static_cast<std::size_t>(is_in_blocked) + (is_in_seeds ? 1 : 0));
    in_seeds += is_in_seeds ? 1 : 0;
  }
  EXPECT_EQ(counts.by_group[1], in_seeds);
}

TEST_F(BankQueryTest, RefusesAGroupThatTheBankDoesNotHave) {
  const std::vector<std::string> groups{"no such\n"};
  const auto query = BankQuery::create(bank_, groups);
  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().code, ErrorCode::kNotFound);
  EXPECT_NE(query.error().message.find("no such\\x0a"), std::string::npos) << query.error().message;
}

TEST_F(BankQueryTest, AnswersMaybeForAGroupWhoseSecretIsNotKnown) {
  OpenOptions options;
  options.allow_locked = true;
  const Bank locked = Bank::from_bytes(bytes_.bytes(), "bank", options).value();
  const BankQuery query = BankQuery::create(locked).value();
  EXPECT_EQ(query.any_of(keys_).count(), keys_.size());
  EXPECT_EQ(query.none_of(keys_).count(), 0U);
}

TEST_F(BankQueryTest, TakesNoKeysAndGivesNoAnswers) {
  const BankQuery query = BankQuery::create(bank_).value();
  EXPECT_EQ(query.groups_of({}).size(), 0U);
  EXPECT_EQ(query.any_of({}).size(), 0U);
  EXPECT_EQ(query.none_of({}).count(), 0U);
  EXPECT_EQ(query.count({}).admitted, 0U);
}

// More hashes than a prober keeps, and none twice in a row.
TEST(BatchProber, HashesRightWithMoreHashersThanItKeeps) {
  std::vector<Sample> samples;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const Hasher hasher = Hasher::create(HashId::kXxh3, i % 37).value();
    samples.push_back(test::make_sample("g" + std::to_string(i),
                                        plan_filter(Kind::kBlocked, 50, 0.01, hasher).value(), 50));
  }
  const AlignedBytes bytes(test::bytes_of(samples));
  const Bank bank = Bank::from_bytes(bytes.bytes(), "bank").value();
  EXPECT_EQ(BankHashers(bank).hashers().size(), 37U);
  const BankQuery query = BankQuery::create(bank).value();
  std::vector<std::string_view> keys;
  for (const Sample& sample : samples)
    keys.insert(keys.end(), sample.keys.begin(), sample.keys.end());
  const GroupLists lists = query.groups_of(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_TRUE(std::ranges::equal(lists[i], bank.groups_of(keys[i]))) << keys[i];
  }
}

}  // namespace
}  // namespace bloomery
