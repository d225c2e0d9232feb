// The counting kind: remove takes an insertion back, and nothing else.
#include "laws/law.h"

namespace bloomery::laws {
namespace {

constexpr unsigned kFull = 15;

Filter make_counting(std::uint64_t keys = 100, double fpr = 0.05) {
  return Filter::create(plan_filter(Kind::kCounting, keys, fpr).value()).value();
}

// Format: counter i is nibble i of the table, the low one of a byte first.
std::vector<unsigned> counters_of(const FilterView& filter) {
  std::vector<unsigned> counters;
  for (std::uint64_t i = 0; i < filter.spec().bits; ++i) {
    const auto byte = std::to_integer<unsigned>(filter.table()[i / 2]);
    counters.push_back(i % 2 == 0 ? byte & 15U : byte >> 4U);
  }
  return counters;
}

bool has_full_counter(const FilterView& filter) {
  const auto counters = counters_of(filter);
  return std::find(counters.begin(), counters.end(), kFull) != counters.end();
}

TEST(CountingLaws, RemoveUndoesInsert) {
  check_law(300, [] {
    Filter filter = make_counting();
    filter.insert(views_of(*rc::gen::resize(30, key_lists())));
    const auto more = *rc::gen::resize(30, key_lists());
    const auto before = table_of(filter);
    filter.insert(views_of(more));
    RC_PRE(!has_full_counter(filter));
    for (const std::string& key : more) RC_ASSERT(filter.remove(key));
    RC_ASSERT(is_table(filter, before));
  });
}

TEST(CountingLaws, RemovingInsertedKeysNeverBreaksOthers) {
  check_law(300, [] {
    // Small and over-full, so that counters fill up and stay.
    Filter filter = make_counting(*rc::gen::inRange<std::uint64_t>(1, 60), 0.2);
    const auto stay = *key_lists();
    const auto go = *key_lists();
    filter.insert(views_of(stay));
    filter.insert(views_of(go));
    for (const std::string& key : go) RC_ASSERT(filter.remove(key));
    for (const std::string& key : stay) RC_ASSERT(filter.may_contain(key));
  });
}

TEST(CountingLaws, RemovingByHashIsRemovingTheKey) {
  check_law(100, [] {
    const auto keys = *key_lists();
    Filter by_key = make_counting();
    Filter by_hash = make_counting();
    by_key.insert(views_of(keys));
    by_hash.insert(views_of(keys));
    for (const std::string& key : keys) {
      RC_ASSERT(by_key.remove(key) == by_hash.remove(by_hash.spec().hasher(key)));
    }
    RC_ASSERT(same_table(by_key, by_hash));
  });
}

TEST(CountingLaws, RemoveRefusesWhatTheFilterDeniesAndChangesNothing) {
  check_law(100, [] {
    Filter filter = make_counting();
    filter.insert(views_of(*key_lists()));
    const auto before = table_of(filter);
    for (const std::string& key : *key_lists()) {
      if (filter.may_contain(key)) continue;
      RC_ASSERT(!filter.remove(key));
      RC_ASSERT(is_table(filter, before));
    }
  });
}

// Keys that were never inserted too: the promise ends there, but no counter may wrap round.
TEST(CountingLaws, RemoveNeverRaisesACounter) {
  check_law(200, [] {
    Filter filter = make_counting(10, 0.5);
    filter.insert(views_of(*rc::gen::resize(20, key_lists())));
    for (const std::string& key : *key_lists()) {
      const auto before = counters_of(filter);
      static_cast<void>(filter.remove(key));
      const auto after = counters_of(filter);
      for (std::size_t i = 0; i < before.size(); ++i) {
        RC_ASSERT(after[i] <= before[i]);
        RC_ASSERT(before[i] != kFull || after[i] == kFull);
      }
    }
  });
}

TEST(CountingLaws, ACounterThatIsFullStays) {
  Filter filter = make_counting();
  for (int i = 0; i < 14; ++i) filter.insert("key");
  EXPECT_FALSE(has_full_counter(filter));
  filter.insert("key");
  EXPECT_TRUE(has_full_counter(filter));
  const auto full = table_of(filter);
  for (int i = 0; i < 100; ++i) filter.insert("key");
  EXPECT_TRUE(is_table(filter, full)) << "a counter went past 15";
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(filter.remove("key"));
  EXPECT_TRUE(is_table(filter, full)) << "a full counter came down";
  EXPECT_TRUE(filter.may_contain("key"));
}

TEST(CountingLaws, FourteenInsertionsAreForgottenAfterFourteenRemovals) {
  Filter filter = make_counting();
  for (int i = 0; i < 14; ++i) filter.insert("key");
  for (int i = 0; i < 14; ++i) {
    EXPECT_TRUE(filter.may_contain("key")) << i;
    EXPECT_TRUE(filter.remove("key")) << i;
  }
  EXPECT_FALSE(filter.may_contain("key"));
  EXPECT_FALSE(filter.remove("key"));
  EXPECT_EQ(filter.ones(), 0U);
}

TEST(CountingLaws, MergingAddsCountersAndStopsAtFifteen) {
  check_law(200, [] {
    Filter a = make_counting(10, 0.3);
    Filter b = make_counting(10, 0.3);
    a.insert(views_of(*key_lists()));
    b.insert(views_of(*key_lists()));
    const auto left = counters_of(a);
    const auto right = counters_of(b);
    RC_ASSERT(a.merge(b).has_value());
    const auto sum = counters_of(a);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      RC_ASSERT(sum[i] == std::min(kFull, left[i] + right[i]));
    }
  });
}

TEST(CountingLaws, AClassicFilterMadeFromItGivesTheSameAnswers) {
  check_law(200, [] {
    FilterSpec spec = plan_filter(Kind::kCounting, 20, 0.2).value();
    spec.bits = *rc::gen::inRange<std::uint64_t>(1, 400);
    Filter counting = Filter::create(spec).value();
    counting.insert(views_of(*key_lists()));
    const Filter classic = classic_from_counting(counting).value();
    RC_ASSERT(classic.ones() == counting.ones());
    for (const std::string& key : *key_lists()) {
      RC_ASSERT(classic.may_contain(key) == counting.may_contain(key));
    }
  });
}

TEST(CountingLaws, AClassicFilterMadeFromItIsTheOneBuiltFromTheKeys) {
  check_law(100, [] {
    const auto keys = *key_lists();
    Filter counting = make_counting();
    counting.insert(views_of(keys));
    FilterSpec spec = counting.spec();
    spec.kind = Kind::kClassic;
    Filter built = Filter::create(spec).value();
    built.insert(views_of(keys));
    const Filter made = classic_from_counting(counting).value();
    RC_ASSERT(made.spec() == spec);
    RC_ASSERT(same_table(made, built));
  });
}

TEST(CountingLaws, OnlyCountingFiltersTurnIntoClassicOnes) {
  for (const Kind kind : {Kind::kClassic, Kind::kBlocked}) {
    const Filter filter = Filter::create(plan_filter(kind, 10, 0.1).value()).value();
    EXPECT_FALSE(classic_from_counting(filter)) << to_string(kind);
  }
}

}  // namespace
}  // namespace bloomery::laws
