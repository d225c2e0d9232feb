// What the keys are that the laws meet. A law that only ever sees one shape of key still holds, so
// no other test would tell.
#include <bit>
#include <set>

#include "laws/law.h"

namespace bloomery::laws {
namespace {

// Keys of each sort, recognised by their bytes.
struct Sorts {
  std::size_t keys = 0;
  std::size_t empty = 0;
  std::size_t nuls = 0;
  std::size_t with_shared_prefix = 0;
  std::size_t neighbours = 0;
  std::size_t from_a_few = 0;
  std::size_t any_bytes = 0;
  std::size_t of_10_000_bytes_or_more = 0;
  std::size_t lists_with_duplicates = 0;
};

std::size_t different_bits(std::string_view a, std::string_view b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    count += static_cast<std::size_t>(std::popcount(static_cast<unsigned char>(a[i] ^ b[i])));
  }
  return count;
}

bool is_neighbour(std::string_view key) {
  return different_bits(key, bytes_from(1, key.size())) == 1;
}

std::size_t& sort_of(std::string_view key, Sorts& sorts) {
  if (key.empty()) return sorts.empty;
  if (key.find_first_not_of('\0') == std::string_view::npos) return sorts.nuls;
  if (key.starts_with("pp")) return sorts.with_shared_prefix;
  if (key.starts_with("key ")) return sorts.from_a_few;
  return is_neighbour(key) ? sorts.neighbours : sorts.any_bytes;
}

void expect_every_sort(const rc::Gen<std::vector<std::string>>& lists, int cases) {
  Sorts sorts;
  check_law(cases, [&] {
    const auto keys = *lists;
    for (const std::string& key : keys) {
      ++sorts.keys;
      ++sort_of(key, sorts);
      if (key.size() >= 10'000) ++sorts.of_10_000_bytes_or_more;
    }
    if (std::set(keys.begin(), keys.end()).size() < keys.size()) ++sorts.lists_with_duplicates;
  });
  EXPECT_GT(sorts.keys, 5'000U);
  // A fifth each, but for the empty keys among them.
  for (const std::size_t shape : {sorts.nuls, sorts.with_shared_prefix, sorts.neighbours,
                                  sorts.from_a_few, sorts.any_bytes}) {
    EXPECT_GT(shape, sorts.keys / 10);
  }
  EXPECT_GT(sorts.empty, sorts.keys / 1'000);
  EXPECT_GT(sorts.of_10_000_bytes_or_more, sorts.keys / 1'000);
  EXPECT_GT(sorts.lists_with_duplicates, static_cast<std::size_t>(cases / 50));
}

TEST(GeneratedKeys, OfShortListsAreOfEverySort) {
  expect_every_sort(short_key_lists(), 2'000);
}

TEST(GeneratedKeys, OfListsAreOfEverySort) {
  expect_every_sort(key_lists(), 400);
}

TEST(GeneratedKeys, OfListsOfOneSizeAreOfEverySort) {
  expect_every_sort(key_lists(200), 50);
}

}  // namespace
}  // namespace bloomery::laws
