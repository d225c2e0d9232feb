// Any sequence of calls on a filter, read from a fuzzer's input, beside a reference that is easy to
// trust.
//
// The reference is the keys, each with how often it is in, and, made from it, the cells that the
// table must have: the sum of what each key sets alone in a fresh filter, cut at the largest value
// of a cell. So the calls are checked against the exact table, and the answers against the keys:
// one that is in must be found.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bloomery/filter.h"

namespace bloomery::fuzz {

inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

// Takes an input apart; zeros after its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}

  [[nodiscard]] bool is_empty() const { return bytes_.empty(); }

  std::uint64_t number(std::uint64_t below) {
    std::uint64_t value = byte();
    if (below > 256) value = value << 8U | byte();
    return value % below;
  }

  // Short keys of few letters, so that they come again; seldom a long one, which takes as much time
  // as many of them.
  std::string key() {
    const std::uint64_t length = number(256);
    if (length == 255) return std::string(number(1'100), static_cast<char>(byte()));
    std::string text;
    for (std::uint64_t i = 0; i < length % 6; ++i) text += static_cast<char>(byte());
    return text;
  }

  std::vector<std::string> keys() {
    std::vector<std::string> list(number(40));
    for (std::string& text : list) text = key();
    return list;
  }

 private:
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }

  std::span<const std::uint8_t> bytes_;
};

inline Hasher any_hasher(Input& input) {
  switch (input.number(4)) {
    case 0:
      return Hasher::create(HashId::kXxh3, input.number(1'000)).value();
    case 1:
      return Hasher::create(HashId::kMurmur3, input.number(1'000)).value();
    case 2:
      return Hasher::with_secret({static_cast<std::byte>(input.number(256))});
    default:
      return {};
  }
}

// A filter and what must be in it.
class CheckedFilter {
 public:
  explicit CheckedFilter(const FilterSpec& spec)
      : filter_(Filter::create(spec).value()), cells_(spec.bits) {}

  void insert(const std::string& key) {
    filter_.insert(key);
    remember(key);
  }
  // In two calls, the first with `cut` keys or all there are: batches of every small size. Threads
  // share out calls of 131,072 keys and more, which no input has: tests/laws/ has those.
  void insert(const std::vector<std::string>& keys, std::size_t cut) {
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    cut = std::min(cut, views.size());
    filter_.insert(std::span(views).first(cut));
    filter_.insert(std::span(views).subspan(cut));
    for (const std::string& key : keys) remember(key);
  }
  void insert_hashes(const std::vector<std::string>& keys) {
    if (!filter_.spec().takes_hashes()) return;
    std::vector<KeyHash> hashes;
    for (const std::string& key : keys) hashes.push_back(filter_.spec().hasher(key));
    filter_.insert(hashes);
    for (const std::string& key : keys) remember(key);
  }

  // Only keys that were inserted: for others the header promises nothing.
  void remove(std::uint64_t which) {
    if (filter_.spec().kind != Kind::kCounting || keys_.empty()) return;
    auto& [key, known] =
        *std::next(keys_.begin(), static_cast<std::ptrdiff_t>(which % keys_.size()));
    if (known.times == 0) return;
    require(filter_.remove(key), "remove refuses a key that was inserted");
    for (const auto& [place, count] : known.cells) {
      if (cells_[place] != kFullCounter) cells_[place] -= count;
    }
    --known.times;
  }

  void merge(const CheckedFilter& other) {
    require(filter_.merge(other.filter_).has_value(), "equal specs do not merge");
    for (std::size_t i = 0; i < cells_.size(); ++i) add(cells_[i], other.cells_[i]);
    for (const auto& [key, known] : other.keys_) {
      if (known.times != 0) known_key(key).times += known.times;
    }
  }

  void clear() {
    filter_.clear();
    for (auto& [key, known] : keys_) known.times = 0;
    std::fill(cells_.begin(), cells_.end(), 0U);
  }

  void ask(const std::vector<std::string>& keys, std::size_t cut) {
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    cut = std::min(cut, views.size());
    const Answers first = filter_.may_contain(std::span(views).first(cut));
    const Answers rest = filter_.may_contain(std::span(views).subspan(cut));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Known& known = known_key(keys[i]);
      const bool expected = has_all(known.cells);
      require((i < cut ? first[i] : rest[i - cut]) == expected,
              "a batch gives another answer than the cells");
      require(filter_.may_contain(views[i]) == expected,
              "a key gets another answer than the cells");
      require(expected || known.times == 0, "an inserted key is denied");
    }
  }

  void check() const {
    require(cells_of(filter_) == cells_, "the table is not the sum of its keys");
    const auto ones =
        std::count_if(cells_.begin(), cells_.end(), [](unsigned c) { return c != 0; });
    require(filter_.ones() == static_cast<std::uint64_t>(ones), "ones() counts something else");
    const auto view = FilterView::create(filter_.spec(), filter_.table());
    require(view.has_value(), "the table has bits past its last one");
    for (const auto& [key, known] : keys_) {
      require(known.times == 0 || view->may_contain(key), "an inserted key is denied");
    }
    if (filter_.spec().kind != Kind::kCounting) return;
    const Filter classic = classic_from_counting(filter_).value();
    require(classic.ones() == filter_.ones(), "the classic filter has other bits");
  }

 private:
  static constexpr unsigned kFullCounter = 15;

  static std::vector<unsigned> cells_of(const FilterView& filter) {
    const bool is_counting = filter.spec().kind == Kind::kCounting;
    const std::span<const std::byte> table = filter.table();
    std::vector<unsigned> cells(filter.spec().bits);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t bit = is_counting ? 4 * i : i;
      cells[i] =
          std::to_integer<unsigned>(table[bit / 8]) >> bit % 8 & (is_counting ? kFullCounter : 1U);
    }
    return cells;
  }

  void add(unsigned& cell, unsigned more) const {
    cell = std::min(cell + more, filter_.spec().kind == Kind::kCounting ? kFullCounter : 1U);
  }

  using Cells = std::vector<std::pair<std::size_t, unsigned>>;

  // Of a key: places and values of the cells that it sets alone, and how often it is in the filter.
  struct Known {
    Cells cells;
    std::uint64_t times = 0;
  };

  Known& known_key(const std::string& key) {
    const auto [found, is_new] = keys_.try_emplace(key);
    if (is_new) found->second.cells = lone_cells(key);
    return found->second;
  }

  [[nodiscard]] Cells lone_cells(const std::string& key) const {
    Filter lone = Filter::create(filter_.spec()).value();
    lone.insert(key);
    const std::size_t cells_per_byte = lone.spec().kind == Kind::kCounting ? 2 : 8;
    const std::size_t width = 8 / cells_per_byte;
    Cells cells;
    for (std::size_t i = 0; i < lone.table().size(); ++i) {
      unsigned byte = std::to_integer<unsigned>(lone.table()[i]);
      for (std::size_t place = i * cells_per_byte; byte != 0; ++place, byte >>= width) {
        const unsigned value = byte & ((1U << width) - 1);
        if (value != 0) cells.emplace_back(place, value);
      }
    }
    return cells;
  }

  void remember(const std::string& key) {
    Known& known = known_key(key);
    for (const auto& [place, count] : known.cells) add(cells_.at(place), count);
    ++known.times;
  }

  [[nodiscard]] bool has_all(const Cells& cells) const {
    return std::all_of(cells.begin(), cells.end(),
                       [&](const auto& cell) { return cells_.at(cell.first) != 0; });
  }

  Filter filter_;
  std::vector<unsigned> cells_;
  std::unordered_map<std::string, Known> keys_;
};

inline void insert_keys(CheckedFilter& filter, Input& input) {
  const auto keys = input.keys();
  filter.insert(keys, input.number(4));
}

inline void ask_keys(CheckedFilter& filter, Input& input) {
  const auto keys = input.keys();
  filter.ask(keys, input.number(4));
}

// Two filters with one spec, so that they can merge. A table is checked where it ends, for after
// every call would take most of the time: cells that are wrong seldom become right again.
inline int run_operations(Input& input, const FilterSpec& spec) {
  CheckedFilter filters[2] = {CheckedFilter(spec), CheckedFilter(spec)};
  for (int steps = 0; steps < 30 && !input.is_empty(); ++steps) {
    const std::uint64_t which = input.number(2);
    CheckedFilter& filter = filters[which];
    switch (input.number(8)) {
      case 0:
        filter.insert(input.key());
        break;
      case 1:
        insert_keys(filter, input);
        break;
      case 2:
        filter.insert_hashes(input.keys());
        break;
      case 3:
        filter.remove(input.number(256));
        break;
      case 4:
        filter.merge(filters[1 - which]);
        break;
      case 5:
        filter.check();
        filter.clear();
        break;
      default:
        ask_keys(filter, input);
    }
  }
  for (const CheckedFilter& filter : filters) filter.check();
  return 0;
}

}  // namespace bloomery::fuzz
