// Insert and ask: what holds for every kind, however keys come in and answers come out.
#include <memory>

#include "laws/law.h"

namespace bloomery::laws {
namespace {

class MembershipLaws : public LawOfKind {};

void expect_found_every_way(Filter& filter, const std::vector<std::string>& keys, std::size_t cut) {
  const auto views = views_of(keys);
  for (std::size_t i = 0; i < cut; ++i) filter.insert(views[i]);
  filter.insert(std::span(views).subspan(cut));
  for (const std::string_view key : views) RC_ASSERT(filter.may_contain(key));
  RC_ASSERT(filter.may_contain(views).count() == keys.size());
  if (!filter.spec().takes_hashes()) return;
  for (const KeyHash hash : hashes_of(filter.spec().hasher, views)) {
    RC_ASSERT(filter.may_contain(hash));
  }
}

// 200,000 cases over the six kinds; a sanitiser meets a fifth of them.
TEST_P(MembershipLaws, InsertedKeysAreFound) {
  check_law(test::kIsSanitised ? 6'800 : 34'000, [] {
    Filter filter = make(*rc::gen::inRange<std::uint64_t>(1, 20));
    const auto keys = *short_key_lists();
    expect_found_every_way(filter, keys, keys.size() / 2);
  });
}

TEST_P(MembershipLaws, ManyInsertedKeysAreFound) {
  check_law(300, [] {
    Filter filter = make(*rc::gen::inRange<std::uint64_t>(1, 400));
    const auto keys = *key_lists(200);
    expect_found_every_way(filter, keys, *rc::gen::inRange<std::size_t>(0, keys.size()));
  });
}

TEST_P(MembershipLaws, AnEmptyFilterFindsNothing) {
  check_law(50, [] {
    const auto keys = *key_lists();
    const Filter filter = make(*rc::gen::inRange<std::uint64_t>(1, 300));
    for (const std::string& key : keys) RC_ASSERT(!filter.may_contain(key));
    RC_ASSERT(filter.may_contain(views_of(keys)).count() == 0U);
    RC_ASSERT(filter.ones() == 0U);
    RC_ASSERT(filter.fill() == 0.0);
    RC_ASSERT(filter.estimated_keys() == 0.0);
    RC_ASSERT(filter.achieved_fpr() == 0.0);
  });
}

TEST_P(MembershipLaws, BatchesSingleKeysAndReadyHashesSetTheSameBits) {
  check_law(100, [] {
    const auto keys = *key_lists();
    const auto views = views_of(keys);
    Filter one_by_one = make();
    Filter in_a_batch = make();
    for (const std::string_view key : views) one_by_one.insert(key);
    in_a_batch.insert(views);
    RC_ASSERT(same_table(one_by_one, in_a_batch));
    if (!one_by_one.spec().takes_hashes()) return;
    const auto hashes = hashes_of(one_by_one.spec().hasher, views);
    Filter by_hash = make();
    Filter by_hashes = make();
    for (const KeyHash hash : hashes) by_hash.insert(hash);
    by_hashes.insert(hashes);
    RC_ASSERT(same_table(one_by_one, by_hash));
    RC_ASSERT(same_table(one_by_one, by_hashes));
  });
}

TEST_P(MembershipLaws, BatchesSingleKeysAndReadyHashesGiveTheSameAnswersInOrder) {
  check_law(100, [] {
    // For 20 keys at a rate of 0.3, so that many of the others are false positives.
    Filter filter = make(20, 0.3);
    filter.insert(views_of(*rc::gen::resize(20, key_lists())));
    const auto keys = *rc::gen::resize(300, key_lists());
    const auto views = views_of(keys);
    const Answers answers = filter.may_contain(views);
    RC_ASSERT(answers.size() == keys.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      RC_ASSERT(answers[i] == filter.may_contain(views[i]));
      count += answers[i] ? 1U : 0U;
    }
    RC_ASSERT(answers.count() == count);
    if (!filter.spec().takes_hashes()) return;
    const auto hashes = hashes_of(filter.spec().hasher, views);
    const Answers from_hashes = filter.may_contain(hashes);
    RC_ASSERT(same_words(from_hashes.words(), answers.words()));
    // Full of ones and longer than needed: the words beyond the answers belong to the caller.
    std::vector<std::uint64_t> own((keys.size() + 63) / 64 + 1, ~std::uint64_t{0});
    filter.may_contain(hashes, own);
    RC_ASSERT(own.back() == ~std::uint64_t{0});
    own.pop_back();
    RC_ASSERT(same_words(own, answers.words()));
  });
}

TEST_P(MembershipLaws, TheOrderOfKeysDoesNotMatter) {
  check_law(50, [] {
    auto keys = *key_lists();
    Filter forwards = make();
    Filter backwards = make();
    forwards.insert(views_of(keys));
    std::reverse(keys.begin(), keys.end());
    backwards.insert(views_of(keys));
    RC_ASSERT(same_table(forwards, backwards));
  });
}

TEST_P(MembershipLaws, AKeyInsertedTwiceIsAnsweredAsOnce) {
  check_law(50, [] {
    const auto keys = *key_lists();
    Filter once = make(20, 0.3);
    Filter twice = make(20, 0.3);
    once.insert(views_of(keys));
    twice.insert(views_of(keys));
    twice.insert(views_of(keys));
    RC_ASSERT(once.ones() == twice.ones());
    for (const std::string& key : *key_lists()) {
      RC_ASSERT(once.may_contain(key) == twice.may_contain(key));
    }
    RC_ASSERT(is_counting() || same_table(once, twice));
  });
}

TEST_P(MembershipLaws, ClearForgetsEveryKey) {
  check_law(50, [] {
    const auto keys = *key_lists();
    Filter filter = make();
    filter.insert(views_of(keys));
    filter.clear();
    RC_ASSERT(same_table(filter, make()));
    for (const std::string& key : keys) RC_ASSERT(!filter.may_contain(key));
  });
}

// The table starts at every multiple of its alignment within two cache lines, as in a file that was
// read into memory.
TEST_P(MembershipLaws, AViewAnswersAsTheFilterDoesWhereverTheTableLies) {
  Filter filter = make(100, 0.05);
  std::vector<std::string> keys;
  for (int i = 0; i < 300; ++i) keys.push_back("key " + std::to_string(i));
  const auto views = views_of(keys);
  filter.insert(std::span(views).first(100));
  const Answers expected = filter.may_contain(views);
  const std::size_t size = filter.table().size();
  const std::size_t step = filter.spec().kind == Kind::kBlocked ? 64 : 8;
  for (std::size_t offset = 0; offset < 128; offset += step) {
    const std::unique_ptr<std::byte, decltype(&std::free)> memory(
        static_cast<std::byte*>(std::aligned_alloc(64, (size + offset + 63) / 64 * 64)),
        &std::free);
    std::copy(filter.table().begin(), filter.table().end(), memory.get() + offset);
    const auto view = FilterView::create(filter.spec(), {memory.get() + offset, size});
    ASSERT_TRUE(view) << view.error().message;
    EXPECT_TRUE(same_words(view->may_contain(views).words(), expected.words()));
    for (const std::string_view key : views) {
      EXPECT_EQ(view->may_contain(key), filter.may_contain(key));
    }
    EXPECT_EQ(view->ones(), filter.ones());
    EXPECT_EQ(view->achieved_fpr(), filter.achieved_fpr());
  }
}

TEST_P(MembershipLaws, ACopyHasTheSameBitsAndALifeOfItsOwn) {
  Filter original = make();
  original.insert("first");
  Filter copy = Filter::copy_of(original).value();
  EXPECT_EQ(copy.spec(), original.spec());
  EXPECT_TRUE(same_table(copy, original));
  copy.insert("second");
  EXPECT_FALSE(same_table(copy, original));
  original.clear();
  EXPECT_TRUE(copy.may_contain("first"));
}

TEST_P(MembershipLaws, AMovedFilterKeepsItsKeys) {
  Filter first = make();
  first.insert("key");
  const Filter second = std::move(first);
  EXPECT_TRUE(second.may_contain("key"));
}

INSTANTIATE_TEST_SUITE_P(Kinds, MembershipLaws, testing::ValuesIn(every_kind()), name_of);

// Sizes and numbers of hashes that no formula would choose.
TEST(AnyShapeLaws, InsertedKeysAreFoundAndNoBitIsSetPastTheLast) {
  check_law(300, [] {
    FilterSpec spec;
    spec.kind = *rc::gen::element(Kind::kClassic, Kind::kCounting);
    spec.planned_keys = 1;
    spec.bits = *rc::gen::inRange<std::uint64_t>(1, 300);
    spec.hashes = *rc::gen::inRange<std::uint32_t>(1, 65);
    if (spec.kind == Kind::kClassic && *rc::gen::arbitrary<bool>()) spec = with_seeds(spec);
    Filter filter = Filter::create(spec).value();
    const auto keys = *key_lists();
    filter.insert(views_of(keys));
    for (const std::string& key : keys) RC_ASSERT(filter.may_contain(key));
    RC_ASSERT(filter.may_contain(views_of(keys)).count() == keys.size());
    // create() refuses a table with a bit past the last one.
    RC_ASSERT(FilterView::create(spec, filter.table()).has_value());
    RC_ASSERT(filter.ones() <= spec.bits);
  });
}

TEST(LockedLaws, AFilterWithoutItsSecretAnswersMaybeToEveryKey) {
  for (const Kind kind : {Kind::kClassic, Kind::kBlocked, Kind::kCounting}) {
    const Hasher secret = Hasher::with_secret({std::byte{1}});
    Filter filter = Filter::create(plan_filter(kind, 100, 0.01, secret).value()).value();
    filter.insert("key");
    FilterSpec spec = filter.spec();
    spec.hasher = Hasher::locked(secret.self_check());
    const FilterView locked = FilterView::create(spec, filter.table()).value();
    const std::vector<std::string_view> keys{"key", "another", ""};
    for (const std::string_view key : keys) EXPECT_TRUE(locked.may_contain(key)) << to_string(kind);
    EXPECT_EQ(locked.may_contain(keys).count(), keys.size()) << to_string(kind);
    const std::vector<KeyHash> hashes{KeyHash{0}, KeyHash{1}, KeyHash{~std::uint64_t{0}}};
    for (const KeyHash hash : hashes) EXPECT_TRUE(locked.may_contain(hash)) << to_string(kind);
    EXPECT_EQ(locked.may_contain(hashes).count(), hashes.size()) << to_string(kind);
  }
}

}  // namespace
}  // namespace bloomery::laws
