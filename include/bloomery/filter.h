// A Bloom filter in memory: insert keys, ask for keys, merge with another.
//
//   takes   keys, or hashes from hash.h
//   gives   a table of bits, to bank.h
//
// FilterView asks a table that somebody else owns, such as a mapped bank. Filter owns its table and
// can change it. Both answer false only for keys that were never inserted.
//
// Threads. Any number of threads may call const functions of one filter at once. Functions that
// change a filter need it alone, and each says how it uses threads itself. To build one filter from
// several threads, either
//   - give all hashes to one insert(hashes, threads): every thread then writes its own part, or
//   - give each thread a Filter of its own with the same spec, and merge() them when they are done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bloomery/hash.h"
#include "bloomery/probe.h"
#include "bloomery/result.h"
#include "bloomery/spec.h"

namespace bloomery {

// Answers to a batch of questions, in the order asked: bit i is the answer for key i.
class Answers {
 public:
  explicit Answers(std::size_t size) : size_(size), words_((size + 63) / 64) {}

  [[nodiscard]] bool operator[](std::size_t i) const noexcept {
    return ((words_[i / 64] >> (i % 64)) & 1U) != 0;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t count() const noexcept;  // how many are true
  [[nodiscard]] std::span<std::uint64_t> words() noexcept { return words_; }
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_; }

 private:
  std::size_t size_;
  std::vector<std::uint64_t> words_;
};

// Hashes that do not lie together.
using HashPieceList = std::span<const std::span<const KeyHash>>;

class FilterView {
 public:
  // Fails unless the spec is valid and `table` is exactly its table: table_bytes() long, 8-byte
  // aligned (64 for the blocked kind), and zero past the last bit. `table` must outlive the view.
  static Result<FilterView> create(FilterSpec spec, std::span<const std::byte> table);

  [[nodiscard]] const FilterSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] std::span<const std::byte> table() const noexcept { return table_; }

  // False: never inserted. True: inserted, or a false positive.
  [[nodiscard]] bool may_contain(std::string_view key) const noexcept {
    return has_hashes_ ? may_contain(spec_.hasher(key)) : may_contain_hashless(key);
  }
  // A number is a key of 8 bytes, little-endian.
  [[nodiscard]] bool may_contain(std::uint64_t key) const noexcept {
    return has_hashes_ ? may_contain(spec_.hasher(key)) : may_contain_hashless(key);
  }
  // Requires spec().takes_hashes(), and a hash made by spec().hasher. True where that is locked.
  [[nodiscard]] bool may_contain(KeyHash hash) const noexcept {
    return probe_.query_one(probe_, hash);
  }

  // Batches are faster than single questions, and the more so the larger the filter: they hash a
  // thousand keys, then probe with their lines on the way. A call with many more keys than a large
  // filter has cache lines sorts them by their place in it first, where there is memory for that:
  // 256 MiB, or as much as the table has, up to 1 GiB, and up to 16 MiB for each thread. `threads`
  // share a large call out; 0: as many as the machine has. Hashes as for a single one.
  [[nodiscard]] Answers may_contain(std::span<const std::string_view> keys,
                                    unsigned threads = 1) const;
  [[nodiscard]] Answers may_contain(std::span<const std::uint64_t> keys,
                                    unsigned threads = 1) const;
  [[nodiscard]] Answers may_contain(std::span<const KeyHash> hashes, unsigned threads = 1) const;
  // may_contain({"a", "b"}), which would else be one key from one text to the other.
  [[nodiscard]] Answers may_contain(std::initializer_list<std::string_view> keys) const {
    return may_contain(std::span(keys.begin(), keys.size()));
  }
  // The same into words of your own, bit i % 64 of word i / 64; unused bits of the last word are
  // set to 0. Requires answers.size() * 64 >= keys.size().
  void may_contain(std::span<const std::string_view> keys, std::span<std::uint64_t> answers,
                   unsigned threads = 1) const;
  void may_contain(std::span<const std::uint64_t> keys, std::span<std::uint64_t> answers,
                   unsigned threads = 1) const;
  void may_contain(std::span<const KeyHash> hashes, std::span<std::uint64_t> answers,
                   unsigned threads = 1) const;

  // How many bits are one (counters above zero). Reads the whole table.
  [[nodiscard]] std::uint64_t ones() const noexcept;
  // ones() as a share of all bits.
  [[nodiscard]] double fill() const noexcept;
  // How many distinct keys most likely gave this fill. Infinite for a full filter.
  [[nodiscard]] double estimated_keys() const;
  // The rate that this fill gives: for the blocked kind the mean over the blocks as they are.
  [[nodiscard]] double achieved_fpr() const;

 protected:
  FilterView(FilterSpec spec, std::span<const std::byte> table);

  FilterSpec spec_;
  std::span<const std::byte> table_;
  Probe probe_;
  bool has_hashes_;                   // one for each key: no list of seeds, and no missing secret
  std::vector<Hasher> seed_hashers_;  // one for each seed of the spec's list

 private:
  [[nodiscard]] bool may_contain_hashless(std::string_view key) const noexcept;
  [[nodiscard]] bool may_contain_hashless(std::uint64_t key) const noexcept;
  template <typename Key>
  void ask_keys(std::span<const Key> keys, std::span<std::uint64_t> answers,
                unsigned threads) const;
  template <typename Key>
  void ask_each(std::span<const Key> keys, std::span<std::uint64_t> answers,
                unsigned threads) const;
};

// FilterView::estimated_keys() from a count of ones that is known already.
[[nodiscard]] double estimated_keys(const FilterSpec& spec, std::uint64_t ones);

class Filter : public FilterView {
 public:
  // An empty filter. Fails for an invalid spec or a locked hasher, or when there is no memory for
  // the table.
  static Result<Filter> create(FilterSpec spec);
  // A copy of a filter that somebody else owns.
  static Result<Filter> copy_of(const FilterView& view);

  // Views of a filter stay good when it moves, and end when it does. A filter that was moved from
  // has no table: it may be assigned to or destroyed, and nothing else.
  Filter(Filter&& other) noexcept;
  Filter& operator=(Filter&& other) noexcept;
  ~Filter() = default;

  void insert(std::string_view key) noexcept;
  void insert(std::uint64_t key) noexcept;  // a key of 8 bytes, little-endian
  void insert(KeyHash hash) noexcept;       // requires spec().takes_hashes()

  // As for may_contain(): batches hash, prefetch, then set, and large calls sort first. With
  // several threads, each writes a part of the table of its own, or a small table of its own that
  // is merged; filters with a list of seeds use one thread. They throw std::bad_alloc where there
  // is no memory for that; the filter may then hold some of the keys and not others, so discard it
  // or clear() it. Hashes as for a single one.
  void insert(std::span<const std::string_view> keys, unsigned threads = 1);
  void insert(std::span<const std::uint64_t> keys, unsigned threads = 1);
  void insert(std::span<const KeyHash> hashes, unsigned threads = 1);
  void insert(std::initializer_list<std::string_view> keys) {
    insert(std::span(keys.begin(), keys.size()));
  }
  // The same for hashes that were collected in pieces of some thousand.
  void insert_pieces(HashPieceList pieces, unsigned threads = 1);

  // Takes one insertion of `key` back. Counting kind only. Returns false, changing nothing, when
  // the filter denies the key, or is of another kind. A key that was never inserted but answers
  // "maybe" is removed all the same, and may take bits of other keys with it: the promise of no
  // false negatives holds only while nothing but inserted keys is removed. A counter that has
  // reached 15 stays there, so a filter with full counters forgets less than it is told to, never
  // more.
  bool remove(std::string_view key) noexcept;
  bool remove(std::uint64_t key) noexcept;
  bool remove(KeyHash hash) noexcept;

  // Adds every key of `other`. Fails, changing nothing, unless the specs are equal. For bit filters
  // the order does not matter and merging twice is harmless; the counting kind adds counters, so
  // each partial must be merged exactly once.
  Result<void> merge(const FilterView& other);

  // Forgets every key.
  void clear() noexcept;

  // The table, for code that fills it itself, like a merge of parts. It must stay a table: zero
  // past the last bit, and no bit of an inserted key taken away. Not while other threads use the
  // filter.
  [[nodiscard]] std::span<std::byte> mutable_table() noexcept;

 private:
  struct TableDeleter {
    void operator()(std::byte* data) const noexcept;
    std::size_t size = 0;
  };
  using TablePtr = std::unique_ptr<std::byte[], TableDeleter>;  // NOLINT(*-avoid-c-arrays)

  Filter(FilterSpec spec, TablePtr table, std::size_t size);

  void lose_table() noexcept;
  template <typename Key>
  void insert_keys(std::span<const Key> keys, unsigned threads);

  TablePtr owned_;
};

// A classic filter with the same answers as a counting one: bit i is one where counter i is not
// zero.
Result<Filter> classic_from_counting(const FilterView& counting);

}  // namespace bloomery
