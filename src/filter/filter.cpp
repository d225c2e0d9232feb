#include "bloomery/filter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "filter/batch.h"
#include "filter/cells.h"
#include "filter/hash_source.h"
#include "filter/key_positions.h"
#include "filter/positions.h"
#include "filter/table_ops.h"

namespace bloomery {
namespace {

// The positions of a key, or of a hash.
using Positions = std::array<std::uint64_t, kMaxHashes>;

std::span<const std::uint64_t> key_positions(const FilterSpec& spec,
                                             std::span<const Hasher> hashers, std::string_view key,
                                             Positions& positions) {
  std::size_t count = 0;
  each_key_position(spec, hashers, key, [&](std::uint64_t position) {
    positions[count++] = position;
    return true;
  });
  return std::span(positions).first(count);
}

std::span<const std::uint64_t> hashed_positions(const FilterSpec& spec, KeyHash hash,
                                                Positions& positions) {
  PositionSequence sequence(hash, spec.bits);
  for (std::uint32_t i = 0; i < spec.hashes; ++i) positions[i] = sequence.next();
  return std::span(positions).first(spec.hashes);
}

bool admit(const Probe& /*probe*/, KeyHash /*hash*/) noexcept {
  return true;
}

Probe probe_of(const FilterSpec& spec, std::span<const std::byte> table) {
  const std::uint64_t* words = as_words(table).data();
  // Whatever a hash was made with, it was not the secret.
  if (spec.hasher.is_locked()) return {&admit, words, spec.bits, spec.hashes};
  switch (spec.kind) {
    case Kind::kClassic:
      return {&query_bits, words, spec.bits, spec.hashes};
    case Kind::kCounting:
      return {&query_counters, words, spec.bits, spec.hashes};
    case Kind::kBlocked:
      break;
  }
  return {blocked_kernel_of(spec).query_one, words, spec.bits / kBlockBits, spec.hashes};
}

// The bytes of a key given as a number, as Hasher takes them.
std::string_view key_bytes(const std::uint64_t& key) {
  return {reinterpret_cast<const char*>(&key), sizeof key};
}

}  // namespace

std::size_t Answers::count() const noexcept {
  std::size_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

// --- FilterView

FilterView::FilterView(FilterSpec spec, std::span<const std::byte> table)
    : spec_(std::move(spec)),
      table_(table),
      probe_(probe_of(spec_, table_)),
      has_hashes_(spec_.takes_hashes() && !spec_.hasher.is_locked()),
      seed_hashers_(seed_hashers(spec_)) {}

Result<FilterView> FilterView::create(FilterSpec spec, std::span<const std::byte> table) {
  if (auto valid = validate(spec); !valid) return valid.error();
  if (table.size() != table_bytes(spec.kind, spec.bits)) {
    return make_error(ErrorCode::kInvalidArgument, "table: {} bytes where the spec asks for {}",
                      table.size(), table_bytes(spec.kind, spec.bits));
  }
  const std::size_t alignment = spec.kind == Kind::kBlocked ? kBlockBytes : 8;
  if (reinterpret_cast<std::uintptr_t>(table.data()) % alignment != 0) {
    return make_error(ErrorCode::kInvalidArgument, "table: not aligned to {} bytes", alignment);
  }
  if (!has_clean_end(spec.kind, spec.bits, table)) {
    return make_error(ErrorCode::kDamaged, "table: not zero past its last bit");
  }
  return FilterView(std::move(spec), table);
}

bool FilterView::may_contain_hashless(std::string_view key) const noexcept {
  if (spec_.hasher.is_locked()) return true;
  const auto cells = cells_of(spec_, table_);
  return each_key_position(spec_, seed_hashers_, key,
                           [&](std::uint64_t position) { return query_cell(cells, position); });
}

bool FilterView::may_contain_hashless(std::uint64_t key) const noexcept {
  return may_contain_hashless(key_bytes(key));
}

template <typename Key>
void FilterView::ask_keys(std::span<const Key> keys, std::span<std::uint64_t> answers,
                          unsigned threads) const {
  if (has_hashes_) {
    return query_batch(spec_, table_, HashSource(spec_.hasher, keys), answers.data(), threads);
  }
  ask_each(keys, answers, threads);
}

template <typename Key>
void FilterView::ask_each(std::span<const Key> keys, std::span<std::uint64_t> answers,
                          unsigned threads) const {
  const std::size_t words = (keys.size() + 63) / 64;
  parallel_for(useful_threads(threads, keys.size()), words, [&](std::size_t word) {
    const auto batch = keys.subspan(word * 64, std::min<std::size_t>(64, keys.size() - word * 64));
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      bits |= static_cast<std::uint64_t>(may_contain(batch[i])) << i;
    }
    answers[word] = bits;
  });
}

void FilterView::may_contain(std::span<const KeyHash> hashes, std::span<std::uint64_t> answers,
                             unsigned threads) const {
  assert(spec_.takes_hashes());
  if (spec_.hasher.is_locked()) return ask_each(hashes, answers, threads);
  query_batch(spec_, table_, HashSource(hashes), answers.data(), threads);
}

void FilterView::may_contain(std::span<const std::string_view> keys,
                             std::span<std::uint64_t> answers, unsigned threads) const {
  ask_keys(keys, answers, threads);
}

void FilterView::may_contain(std::span<const std::uint64_t> keys, std::span<std::uint64_t> answers,
                             unsigned threads) const {
  ask_keys(keys, answers, threads);
}

Answers FilterView::may_contain(std::span<const KeyHash> hashes, unsigned threads) const {
  Answers answers(hashes.size());
  may_contain(hashes, answers.words(), threads);
  return answers;
}

Answers FilterView::may_contain(std::span<const std::string_view> keys, unsigned threads) const {
  Answers answers(keys.size());
  may_contain(keys, answers.words(), threads);
  return answers;
}

Answers FilterView::may_contain(std::span<const std::uint64_t> keys, unsigned threads) const {
  Answers answers(keys.size());
  may_contain(keys, answers.words(), threads);
  return answers;
}

std::uint64_t FilterView::ones() const noexcept {
  return count_ones(spec_.kind, table_);
}

double FilterView::fill() const noexcept {
  return static_cast<double>(ones()) / static_cast<double>(spec_.bits);
}

double FilterView::estimated_keys() const {
  return bloomery::estimated_keys(spec_, ones());
}

double FilterView::achieved_fpr() const {
  if (spec_.kind == Kind::kBlocked) return mean_block_fpr(as_words(table_), spec_.hashes);
  return std::pow(fill(), spec_.hashes);
}

double estimated_keys(const FilterSpec& spec, std::uint64_t ones) {
  if (ones >= spec.bits) return std::numeric_limits<double>::infinity();
  const auto bits = static_cast<double>(spec.bits);
  const double unset = std::log1p(-static_cast<double>(ones) / bits);
  // Over the logarithm of the chance that one key leaves a given bit unset: each of its positions
  // falls on all bits in the classic kind, on the 64 bits of a word of one block in the blocked
  // one.
  if (spec.kind != Kind::kBlocked) return unset / (spec.hashes * std::log1p(-1 / bits));
  const double unset_in_block = std::pow(63.0 / 64.0, spec.hashes / 8.0);
  const double blocks = bits / double{kBlockBits};
  return unset / std::log1p(-(1 - unset_in_block) / blocks);
}

// --- Filter

void Filter::TableDeleter::operator()(std::byte* data) const noexcept {
  free_table(data, size);
}

Filter::Filter(FilterSpec spec, TablePtr table, std::size_t size)
    : FilterView(std::move(spec), {table.get(), size}), owned_(std::move(table)) {}

// The base first, by itself: it is all that `other` gives up there.
Filter::Filter(Filter&& other) noexcept
    : FilterView(static_cast<FilterView&&>(other)), owned_(std::move(other.owned_)) {
  other.lose_table();
}

Filter& Filter::operator=(Filter&& other) noexcept {
  if (this != &other) {
    FilterView::operator=(static_cast<FilterView&&>(other));
    owned_ = std::move(other.owned_);
    other.lose_table();
  }
  return *this;
}

void Filter::lose_table() noexcept {
  table_ = {};
  probe_ = {};
}

Result<Filter> Filter::create(FilterSpec spec) {
  if (auto valid = validate(spec); !valid) return valid.error();
  if (spec.hasher.is_locked()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "hash: keys cannot be inserted without the secret key; give it");
  }
  const std::uint64_t size = table_bytes(spec.kind, spec.bits);
  TablePtr table(allocate_table(size), TableDeleter{size});
  if (table == nullptr) {
    return make_error(ErrorCode::kResource, "{} filter of {} bits: no memory for its {} bytes",
                      to_string(spec.kind), spec.bits, size);
  }
  return Filter(std::move(spec), std::move(table), size);
}

Result<Filter> Filter::copy_of(const FilterView& view) {
  auto filter = create(view.spec());
  if (filter) std::memcpy(filter->owned_.get(), view.table().data(), view.table().size());
  return filter;
}

std::span<std::byte> Filter::mutable_table() noexcept {
  return {owned_.get(), table_.size()};
}

void Filter::insert(KeyHash hash) noexcept {
  assert(spec_.takes_hashes());
  insert_one(spec_, mutable_table(), hash);
}

void Filter::insert(std::string_view key) noexcept {
  if (spec_.takes_hashes()) {
    insert(spec_.hasher(key));
    return;
  }
  Positions positions;
  insert_positions(cells_of(spec_, mutable_table()),
                   key_positions(spec_, seed_hashers_, key, positions));
}

void Filter::insert(std::uint64_t key) noexcept {
  insert(key_bytes(key));
}

template <typename Key>
void Filter::insert_keys(std::span<const Key> keys, unsigned threads) {
  if (spec_.takes_hashes()) {
    insert_batch(spec_, mutable_table(), HashSource(spec_.hasher, keys), threads);
  } else {
    for (const Key& key : keys) insert(key);
  }
}

void Filter::insert(std::span<const KeyHash> hashes, unsigned threads) {
  assert(spec_.takes_hashes());
  insert_batch(spec_, mutable_table(), HashSource(hashes), threads);
}

void Filter::insert_pieces(HashPieceList pieces, unsigned threads) {
  assert(spec_.takes_hashes());
  insert_batch(spec_, mutable_table(), HashSource(pieces), threads);
}

void Filter::insert(std::span<const std::string_view> keys, unsigned threads) {
  insert_keys(keys, threads);
}

void Filter::insert(std::span<const std::uint64_t> keys, unsigned threads) {
  insert_keys(keys, threads);
}

bool Filter::remove(KeyHash hash) noexcept {
  if (spec_.kind != Kind::kCounting || !may_contain(hash)) return false;
  Positions positions;
  remove_positions(cells_of(spec_, mutable_table()), hashed_positions(spec_, hash, positions));
  return true;
}

bool Filter::remove(std::string_view key) noexcept {
  return spec_.kind == Kind::kCounting && remove(spec_.hasher(key));
}

bool Filter::remove(std::uint64_t key) noexcept {
  return remove(key_bytes(key));
}

Result<void> Filter::merge(const FilterView& other) {
  if (spec_ != other.spec()) {
    return make_error(ErrorCode::kMismatch, "{}; only filters with equal specs merge",
                      describe_difference(spec_, other.spec()));
  }
  merge_tables(spec_.kind, mutable_table(), other.table());
  return {};
}

void Filter::clear() noexcept {
  std::memset(owned_.get(), 0, table_.size());
}

Result<Filter> classic_from_counting(const FilterView& counting) {
  if (counting.spec().kind != Kind::kCounting) {
    return make_error(ErrorCode::kInvalidArgument, "a {} filter has no counters",
                      to_string(counting.spec().kind));
  }
  FilterSpec spec = counting.spec();
  spec.kind = Kind::kClassic;
  auto classic = Filter::create(std::move(spec));
  if (!classic) return classic;
  const auto counters = as_words(counting.table());
  const auto bits = as_words(classic->mutable_table());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    std::array<std::uint64_t, 4> four{};
    std::copy_n(counters.begin() + static_cast<std::ptrdiff_t>(4 * i),
                std::min<std::size_t>(4, counters.size() - 4 * i), four.begin());
    bits[i] = occupied(four);
  }
  return classic;
}

}  // namespace bloomery
