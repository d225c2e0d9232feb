// What the laws share: every kind of filter, generated keys, and how many cases a law gets.
//
// Cases are new in every run. A failing law prints the RC_PARAMS that bring its case back.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bloomery/filter.h"
#include "bloomery/sizing.h"
#include "support/long_run.h"
#include "support/same_bytes.h"

namespace bloomery::laws {

// More cases of the same find nothing new for a sanitiser.
inline bool is_long_run() {
  return test::is_long_run() && !test::kIsSanitised;
}

// One way to make a filter for about so many keys.
struct KindCase {
  std::string name;
  std::function<FilterSpec(std::uint64_t keys, double fpr)> spec;

  friend void PrintTo(const KindCase& kind, std::ostream* out) { *out << kind.name; }
};

inline FilterSpec with_seeds(FilterSpec spec, std::uint64_t first = 3) {
  for (std::uint64_t i = 0; i < spec.hashes; ++i) spec.seeds.push_back(first + i * i);
  return spec;
}

inline std::vector<KindCase> every_kind() {
  const auto planned = [](Kind kind, std::optional<std::uint32_t> hashes = std::nullopt) {
    return [=](std::uint64_t keys, double fpr) {
      return plan_filter(kind, keys, fpr, {}, hashes).value();
    };
  };
  const auto seeded = [](std::uint64_t keys, double fpr) {
    return with_seeds(plan_filter(Kind::kClassic, keys, fpr).value());
  };
  const auto secret = [](std::uint64_t keys, double fpr) {
    return plan_filter(Kind::kClassic, keys, fpr, Hasher::with_secret({std::byte{9}})).value();
  };
  return {{"classic", planned(Kind::kClassic)},
          {"classic_seeds", seeded},
          {"classic_sip", secret},
          {"blocked_8", planned(Kind::kBlocked, 8)},
          {"blocked_16", planned(Kind::kBlocked, 16)},
          {"counting", planned(Kind::kCounting)}};
}

class LawOfKind : public testing::TestWithParam<KindCase> {
 protected:
  [[nodiscard]] static Filter make(std::uint64_t keys = 500, double fpr = 0.01) {
    return Filter::create(GetParam().spec(keys, fpr)).value();
  }
  [[nodiscard]] static bool is_counting() { return GetParam().name == "counting"; }
};

inline std::string name_of(const testing::TestParamInfo<KindCase>& info) {
  return info.param.name;
}

// Runs `property` on `cases` generated cases, ten times as many in a long run.
template <typename Property>
void check_law(int cases, Property&& property) {
  const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(info->test_suite_name()) + "/" + info->name();
  metadata.description = info->name();
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = is_long_run() ? cases * 10 : cases;
  const auto result = rc::detail::checkTestable(std::forward<Property>(property), metadata, params);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  FAIL() << message.str();
}

// How a key is made. Keys come from recipes, because generating them byte by byte would take longer
// than everything else.
struct KeyRecipe {
  int shape = 0;
  std::size_t length = 0;
  std::uint64_t variant = 0;
};

inline std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

inline std::string bytes_from(std::uint64_t seed, std::size_t length) {
  std::string bytes(length, '\0');
  for (std::size_t at = 0; at < length; at += sizeof seed) {
    const std::uint64_t word = mix(seed + at / sizeof seed);
    std::memcpy(bytes.data() + at, &word, std::min(sizeof word, length - at));
  }
  return bytes;
}

inline std::string make_key(const KeyRecipe& recipe) {
  switch (recipe.shape) {
    case 0:  // any bytes
      return bytes_from(recipe.variant, recipe.length);
    case 1:  // NULs only
      return std::string(recipe.length, '\0');
    case 2:  // a prefix that many share, and a number
      return std::string(recipe.length, 'p') + std::to_string(recipe.variant);
    case 3: {  // neighbours: the same bytes but for one bit
      std::string key = bytes_from(1, recipe.length + 1);
      const std::size_t bit = recipe.variant % (8 * key.size());
      key[bit / 8] = static_cast<char>(static_cast<unsigned char>(key[bit / 8]) ^ (1U << bit % 8));
      return key;
    }
    default:  // one of a few, so that there are duplicates
      return "key " + std::to_string(recipe.variant % 5);
  }
}

inline rc::Gen<std::size_t> key_lengths() {
  return rc::gen::weightedOneOf<std::size_t>({{60, rc::gen::inRange<std::size_t>(0, 40)},
                                              {10, rc::gen::inRange<std::size_t>(0, 300)},
                                              {1, rc::gen::inRange<std::size_t>(0, 65537)}});
}

// Of every shape and length in every case: RapidCheck makes the ranges of its early cases, and of
// short lists, smaller, down to the first shape alone. generated_keys_test sees to it.
inline rc::Gen<KeyRecipe> key_recipes() {
  return rc::gen::resize(
      rc::kNominalSize,
      rc::gen::build<KeyRecipe>(
          rc::gen::set(&KeyRecipe::shape, rc::gen::inRange(0, 5)),
          rc::gen::set(&KeyRecipe::length, key_lengths()),
          rc::gen::set(&KeyRecipe::variant, rc::gen::inRange<std::uint64_t>(0, 1U << 20U))));
}

inline std::vector<std::string> make_keys(const std::vector<KeyRecipe>& recipes) {
  std::vector<std::string> keys(recipes.size());
  std::transform(recipes.begin(), recipes.end(), keys.begin(), make_key);
  return keys;
}

// Up to 100 keys, up to 8, or exactly `size`.
inline rc::Gen<std::vector<std::string>> key_lists() {
  return rc::gen::map(rc::gen::container<std::vector<KeyRecipe>>(key_recipes()), make_keys);
}

inline rc::Gen<std::vector<std::string>> short_key_lists() {
  return rc::gen::resize(8, key_lists());
}

inline rc::Gen<std::vector<std::string>> key_lists(std::size_t size) {
  return rc::gen::map(rc::gen::container<std::vector<KeyRecipe>>(size, key_recipes()), make_keys);
}

inline std::vector<std::string_view> views_of(const std::vector<std::string>& keys) {
  return {keys.begin(), keys.end()};
}

inline std::vector<KeyHash> hashes_of(const Hasher& hasher,
                                      std::span<const std::string_view> keys) {
  std::vector<KeyHash> hashes(keys.size());
  hasher.hash_all(keys, hashes);
  return hashes;
}

// Hashes of consecutive numbers: as good as random, and the same in every run.
inline std::vector<KeyHash> hashes_of_numbers(std::size_t count, std::uint64_t from = 0,
                                              const Hasher& hasher = {}) {
  std::vector<std::uint64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = from + i;
  std::vector<KeyHash> hashes(count);
  hasher.hash_all(numbers, hashes);
  return hashes;
}

inline bool same_table(const FilterView& a, const FilterView& b) {
  return test::same_bytes(a.table(), b.table());
}

inline std::vector<std::byte> table_of(const FilterView& filter) {
  return {filter.table().begin(), filter.table().end()};
}

inline bool is_table(const FilterView& filter, const std::vector<std::byte>& table) {
  return test::same_bytes(table, filter.table());
}

inline bool same_words(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace bloomery::laws
