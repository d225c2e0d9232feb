// Merge: why a filter can be built in parts, in any order, by tasks that are tried again.
#include "laws/law.h"

namespace bloomery::laws {
namespace {

class MergeLaws : public LawOfKind {
 protected:
  static Filter of(const std::vector<std::string>& keys) {
    Filter filter = make(100, 0.1);
    filter.insert(views_of(keys));
    return filter;
  }
  static Filter merged(const FilterView& a, const FilterView& b) {
    Filter sum = Filter::copy_of(a).value();
    RC_ASSERT(sum.merge(b).has_value());
    return sum;
  }
};

TEST_P(MergeLaws, MergeCommutes) {
  check_law(100, [] {
    const Filter a = of(*key_lists());
    const Filter b = of(*key_lists());
    RC_ASSERT(same_table(merged(a, b), merged(b, a)));
  });
}

TEST_P(MergeLaws, MergeAssociates) {
  check_law(100, [] {
    const Filter a = of(*key_lists());
    const Filter b = of(*key_lists());
    const Filter c = of(*key_lists());
    RC_ASSERT(same_table(merged(merged(a, b), c), merged(a, merged(b, c))));
  });
}

TEST_P(MergeLaws, MergeEqualsInsertingBoth) {
  check_law(100, [] {
    auto keys = *key_lists();
    const auto more = *key_lists();
    const Filter sum = merged(of(keys), of(more));
    keys.insert(keys.end(), more.begin(), more.end());
    RC_ASSERT(same_table(sum, of(keys)));
  });
}

TEST_P(MergeLaws, MergingWithAnEmptyFilterChangesNothing) {
  check_law(50, [] {
    const Filter a = of(*key_lists());
    const Filter empty = of({});
    RC_ASSERT(same_table(merged(a, empty), a));
    RC_ASSERT(same_table(merged(empty, a), a));
  });
}

// Counters are added instead, so a counting partial must be merged exactly once:
// counting_laws_test.
TEST_P(MergeLaws, MergingAgainChangesABitFilterNotAtAll) {
  if (is_counting()) return;
  check_law(50, [] {
    const Filter a = of(*key_lists());
    const Filter b = of(*key_lists());
    const Filter once = merged(a, b);
    RC_ASSERT(same_table(merged(once, b), once));
    Filter self = Filter::copy_of(a).value();
    RC_ASSERT(self.merge(self).has_value());
    RC_ASSERT(same_table(self, a));
  });
}

TEST_P(MergeLaws, MergingTakesNothingFromTheOther) {
  const Filter a = of({"one", "two"});
  const auto before = table_of(a);
  Filter b = of({"three"});
  ASSERT_TRUE(b.merge(a));
  EXPECT_TRUE(is_table(a, before));
  EXPECT_TRUE(b.may_contain("one"));
  EXPECT_TRUE(b.may_contain("three"));
}

FilterSpec with_other_hashes(FilterSpec spec) {
  spec.hashes = spec.hashes == 8 ? 16 : 8;
  while (!spec.takes_hashes() && spec.seeds.size() < spec.hashes) {
    spec.seeds.push_back(1'000'000 + spec.seeds.size());
  }
  return spec;
}

FilterSpec with_other_kind(FilterSpec spec) {
  spec.kind = spec.kind == Kind::kCounting ? Kind::kClassic : Kind::kCounting;
  spec.seeds.clear();
  return spec;
}

FilterSpec with_other_dialect(FilterSpec spec) {
  spec.dialect = Dialect::kHadoop;
  spec.kind = Kind::kClassic;
  spec.hasher = Hasher::create(HashId::kHadoopMurmur, 0).value();
  spec.seeds.clear();
  return spec;
}

// Specs that differ from `spec` in one field each, and in what goes with it.
std::vector<FilterSpec> neighbours_of(const FilterSpec& spec) {
  std::vector<FilterSpec> others{with_other_hashes(spec), with_other_kind(spec),
                                 with_other_dialect(spec)};
  const auto add = [&](const auto& change) { change(others.emplace_back(spec)); };
  add([](FilterSpec& s) { s.bits += s.kind == Kind::kBlocked ? kBlockBits : 1; });
  add([](FilterSpec& s) { s.fpr *= 0.5; });
  add([](FilterSpec& s) { s.planned_keys += 1; });
  add([](FilterSpec& s) { s.hasher = Hasher::create(HashId::kMurmur3, 0).value(); });
  if (spec.takes_hashes()) {
    add([](FilterSpec& s) { s.hasher = Hasher::create(HashId::kXxh3, 1).value(); });
    add([](FilterSpec& s) { s.hasher = Hasher::with_secret({std::byte{10}}); });
  } else {
    add([](FilterSpec& s) { s.seeds[0] += 1'000'000; });
    add([](FilterSpec& s) { std::swap(s.seeds[0], s.seeds[1]); });
    add([](FilterSpec& s) { s.seeds.clear(); });
  }
  return others;
}

TEST_P(MergeLaws, AFailedMergeChangesNothing) {
  for (const FilterSpec& spec : neighbours_of(make(100, 0.1).spec())) {
    auto created = Filter::create(spec);
    ASSERT_TRUE(created) << created.error().message;
    Filter other = std::move(created).value();
    other.insert("theirs");
    Filter filter = of({"ours"});
    const auto before = table_of(filter);
    const auto theirs = table_of(other);
    const auto result = filter.merge(other);
    ASSERT_FALSE(result) << describe_difference(filter.spec(), spec);
    EXPECT_EQ(result.error().code, ErrorCode::kMismatch);
    EXPECT_NE(result.error().message.find("differ"), std::string::npos) << result.error().message;
    EXPECT_TRUE(is_table(filter, before)) << result.error().message;
    EXPECT_TRUE(is_table(other, theirs)) << result.error().message;
  }
}

// Two systems have the same hash and different positions for it: only the dialect tells.
TEST(DialectLaws, FiltersThatDifferInTheirDialectAloneDoNotMerge) {
  struct Pair {
    Dialect one;
    Dialect other;
    HashId hash;
  };
  for (const Pair& pair : {Pair{Dialect::kHadoop, Dialect::kPisaJava, HashId::kHadoopMurmur},
                           Pair{Dialect::kSpark, Dialect::kSparkV1, HashId::kSparkMurmur3}}) {
    FilterSpec spec;
    spec.dialect = pair.one;
    spec.kind = Kind::kClassic;
    spec.hasher = Hasher::create(pair.hash, 0).value();
    spec.planned_keys = 100;
    spec.bits = 640;
    spec.hashes = 5;
    Filter filter = Filter::create(spec).value();
    filter.insert("ours");
    spec.dialect = pair.other;
    Filter other = Filter::create(spec).value();
    other.insert("theirs");
    const auto before = table_of(filter);
    const auto result = filter.merge(other);
    ASSERT_FALSE(result) << to_string(pair.one);
    EXPECT_EQ(result.error().code, ErrorCode::kMismatch);
    EXPECT_NE(result.error().message.find("dialects differ"), std::string::npos)
        << result.error().message;
    EXPECT_TRUE(is_table(filter, before));
    EXPECT_FALSE(other.merge(filter));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, MergeLaws, testing::ValuesIn(every_kind()), name_of);

}  // namespace
}  // namespace bloomery::laws
