#include "bloomery/filter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "filter/bulk.h"
#include "filter/cells.h"
#include "filter/kernels/kernels.h"
#include "filter/positions.h"
#include "filter/table_ops.h"

namespace bloomery {
namespace {

// Keys are hashed this many at a time: enough to keep memory busy, and few enough for the stack.
constexpr std::size_t kHashBatch = 1024;
// A call that is sorted first is hashed in rounds of this many keys.
constexpr std::size_t kHashRound = std::size_t{16} << 20U;
// Hashes that one thread takes at a time.
constexpr std::size_t kPieceHashes = std::size_t{8} << 10U;
// Below this many keys a second thread costs more than it brings.
constexpr std::size_t kMinKeysPerThread = std::size_t{64} << 10U;
// Tables up to this size are copied for each thread; larger ones are cut into parts.
constexpr std::size_t kPrivateTableBytes = std::size_t{16} << 20U;

ConstCells const_cells(const FilterSpec& spec, std::span<const std::byte> table) {
  return {spec.kind, as_words(table).data(), spec.bits, spec.hashes};
}

Cells mutable_cells(const FilterSpec& spec, std::span<std::byte> table) {
  return {spec.kind, as_words(table).data(), spec.bits, spec.hashes};
}

const BlockedKernel& blocked_kernel_of(const FilterSpec& spec) {
  return spec.hashes == 16 ? active_kernels().blocked_16 : active_kernels().blocked_8;
}

const BlockedLoops& loops_of(const FilterSpec& spec, std::size_t table_size) {
  const BlockedKernel& kernel = blocked_kernel_of(spec);
  return table_size <= kNearBytes ? kernel.near : kernel.far;
}

std::uint64_t blocks_of(const FilterSpec& spec) {
  return spec.bits / kBlockBits;
}

// Lines from memory that `keys` keys need.
std::uint64_t touches(const FilterSpec& spec, std::size_t keys) {
  return spec.kind == Kind::kBlocked ? keys : std::uint64_t{keys} * spec.hashes;
}

// The positions of a key of a filter with a list of seeds, or of a hashed one.
using Positions = std::array<std::uint64_t, kMaxHashes>;

Hasher seed_hasher(HashId id, std::uint64_t seed) {
  return Hasher::create(id, id == HashId::kXxh3 ? spread_seed(seed) : seed).value();
}

std::span<const std::uint64_t> seeded_positions(std::span<const Hasher> hashers, std::uint64_t bits,
                                                std::string_view key, Positions& positions) {
  for (std::size_t i = 0; i < hashers.size(); ++i) {
    positions[i] = scale(static_cast<std::uint64_t>(hashers[i](key)), bits);
  }
  return std::span(positions).first(hashers.size());
}

std::span<const std::uint64_t> hashed_positions(const FilterSpec& spec, KeyHash hash,
                                                Positions& positions) {
  PositionSequence sequence(hash, spec.bits);
  for (std::uint32_t i = 0; i < spec.hashes; ++i) positions[i] = sequence.next();
  return std::span(positions).first(spec.hashes);
}

void insert_direct(const FilterSpec& spec, std::span<std::byte> table,
                   std::span<const KeyHash> hashes) {
  if (spec.kind == Kind::kBlocked) {
    loops_of(spec, table.size())
        .insert(as_words(table).data(), blocks_of(spec), hashes.data(), hashes.size());
  } else {
    insert_cells(mutable_cells(spec, table), hashes);
  }
}

void query_direct(const FilterSpec& spec, std::span<const std::byte> table,
                  std::span<const KeyHash> hashes, std::uint64_t* answers) {
  if (spec.kind == Kind::kBlocked) {
    loops_of(spec, table.size())
        .query(as_words(table).data(), blocks_of(spec), hashes.data(), hashes.size(), answers);
  } else {
    query_cells(const_cells(spec, table), hashes, answers);
  }
}

Probe probe_of(const FilterSpec& spec, std::span<const std::byte> table) {
  const std::uint64_t* words = as_words(table).data();
  switch (spec.kind) {
    case Kind::kClassic:
      return {&query_bits, words, spec.bits, spec.hashes};
    case Kind::kCounting:
      return {&query_counters, words, spec.bits, spec.hashes};
    case Kind::kBlocked:
      break;
  }
  return {blocked_kernel_of(spec).query_one, words, blocks_of(spec), spec.hashes};
}

// Each thread fills a table of its own with a share of the pieces; then they are merged.
void insert_private(const FilterSpec& spec, std::span<std::byte> table, HashPieceList pieces,
                    unsigned threads) {
  std::vector<TableBuffer> tables;
  tables.reserve(threads - 1);
  for (unsigned t = 1; t < threads; ++t) tables.emplace_back(table.size());
  parallel_for(threads, threads, [&](std::size_t t) {
    const auto own = t == 0 ? table : tables[t - 1].bytes();
    const std::size_t end = pieces.size() * (t + 1) / threads;
    for (std::size_t i = pieces.size() * t / threads; i < end; ++i) {
      insert_direct(spec, own, pieces[i]);
    }
  });
  for (const TableBuffer& partial : tables) merge_tables(spec.kind, table, partial.bytes());
}

// Small enough that threads can share them out evenly.
std::vector<std::span<const KeyHash>> cut_in_pieces(std::span<const KeyHash> hashes) {
  std::vector<std::span<const KeyHash>> pieces;
  for (std::size_t begin = 0; begin < hashes.size(); begin += kPieceHashes) {
    pieces.push_back(hashes.subspan(begin, std::min(kPieceHashes, hashes.size() - begin)));
  }
  return pieces;
}

unsigned useful_threads(unsigned threads, std::size_t keys) {
  return static_cast<unsigned>(
      std::clamp<std::size_t>(keys / kMinKeysPerThread, 1, std::max(1U, threads)));
}

// Calls work(begin, end) for ranges of `size` keys that start at multiples of 64.
template <typename Work>
void each_range(unsigned threads, std::size_t size, const Work& work) {
  const std::size_t words = (size + 63) / 64;
  parallel_for(threads, threads, [&](std::size_t t) {
    const std::size_t begin = std::min(size, words * t / threads * 64);
    const std::size_t end = std::min(size, words * (t + 1) / threads * 64);
    if (begin < end) work(begin, end);
  });
}

}  // namespace

std::size_t Answers::count() const noexcept {
  std::size_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

// --- FilterView

FilterView::FilterView(FilterSpec spec, std::span<const std::byte> table)
    : spec_(std::move(spec)), table_(table), probe_(probe_of(spec_, table_)) {
  for (const std::uint64_t seed : spec_.seeds) {
    seed_hashers_.push_back(seed_hasher(spec_.hasher.id(), seed));
  }
}

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

bool FilterView::may_contain(std::string_view key) const noexcept {
  if (spec_.hasher.is_locked()) return true;
  if (spec_.takes_hashes()) return may_contain(spec_.hasher(key));
  return std::all_of(seed_hashers_.begin(), seed_hashers_.end(), [&](const Hasher& hasher) {
    return query_cell(const_cells(spec_, table_),
                      scale(static_cast<std::uint64_t>(hasher(key)), spec_.bits));
  });
}

void FilterView::may_contain(std::span<const KeyHash> hashes, std::span<std::uint64_t> answers,
                             unsigned threads) const {
  const unsigned useful = useful_threads(threads, hashes.size());
  if (spec_.kind == Kind::kBlocked && pays_to_sort_queries(table_.size(), hashes.size())) {
    bulk_query(blocked_kernel_of(spec_), as_words(table_).data(), blocks_of(spec_), hashes,
               answers.data(), useful);
    return;
  }
  each_range(useful, hashes.size(), [&](std::size_t begin, std::size_t end) {
    query_direct(spec_, table_, hashes.subspan(begin, end - begin), answers.data() + begin / 64);
  });
}

Answers FilterView::may_contain(std::span<const KeyHash> hashes, unsigned threads) const {
  Answers answers(hashes.size());
  may_contain(hashes, answers.words(), threads);
  return answers;
}

Answers FilterView::may_contain(std::span<const std::string_view> keys, unsigned threads) const {
  Answers answers(keys.size());
  const auto words = answers.words();
  const unsigned useful = useful_threads(threads, keys.size());
  const bool has_hashes = spec_.takes_hashes() && !spec_.hasher.is_locked();
  if (!has_hashes) {
    each_range(useful, keys.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        words[i / 64] |= static_cast<std::uint64_t>(may_contain(keys[i])) << (i % 64);
      }
    });
    return answers;
  }
  if (spec_.kind == Kind::kBlocked && pays_to_sort_queries(table_.size(), keys.size())) {
    each_hashed_round(keys, useful, [&](std::span<const KeyHash> hashes, std::size_t begin) {
      may_contain(hashes, words.subspan(begin / 64), useful);
    });
    return answers;
  }
  each_range(useful, keys.size(), [&](std::size_t begin, std::size_t end) {
    std::array<KeyHash, kHashBatch> hashes;
    for (; begin < end; begin += kHashBatch) {
      const auto batch = keys.subspan(begin, std::min(kHashBatch, end - begin));
      spec_.hasher.hash_all(batch, hashes);
      query_direct(spec_, table_, std::span(hashes).first(batch.size()), words.data() + begin / 64);
    }
  });
  return answers;
}

void FilterView::each_hashed_round(
    std::span<const std::string_view> keys, unsigned threads,
    const std::function<void(std::span<const KeyHash>, std::size_t)>& work) const {
  const TableBuffer buffer(std::min(kHashRound, keys.size()) * sizeof(KeyHash));
  auto* const hashes = reinterpret_cast<KeyHash*>(buffer.data());
  for (std::size_t begin = 0; begin < keys.size(); begin += kHashRound) {
    const auto round = keys.subspan(begin, std::min(kHashRound, keys.size() - begin));
    each_range(threads, round.size(), [&](std::size_t from, std::size_t to) {
      spec_.hasher.hash_all(round.subspan(from, to - from), {hashes + from, to - from});
    });
    work({hashes, round.size()}, begin);
  }
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
  // The chance that one key sets a given bit: each of its positions falls on m bits in the classic
  // kind, on the 64 bits of one word of a block in the blocked one.
  const double choices = spec.kind == Kind::kBlocked ? bits / 8 : bits;
  const double positions = spec.kind == Kind::kBlocked ? spec.hashes / 8.0 : spec.hashes;
  if (spec.kind != Kind::kBlocked) return unset / (positions * std::log1p(-1 / choices));
  const double in_block = std::pow(63.0 / 64.0, positions);
  const double blocks = bits / double{kBlockBits};
  return unset / std::log1p(-(1 - in_block) / blocks);
}

// --- Filter

void Filter::TableDeleter::operator()(std::byte* data) const noexcept {
  free_table(data, size);
}

Filter::Filter(FilterSpec spec, TablePtr table, std::size_t size)
    : FilterView(std::move(spec), {table.get(), size}), owned_(std::move(table)) {}

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
  insert_direct(spec_, mutable_table(), std::span(&hash, 1));
}

void Filter::insert(std::string_view key) noexcept {
  if (spec_.takes_hashes()) {
    insert(spec_.hasher(key));
    return;
  }
  Positions positions;
  insert_positions(mutable_cells(spec_, mutable_table()),
                   seeded_positions(seed_hashers_, spec_.bits, key, positions));
}

void Filter::insert(std::span<const KeyHash> hashes, unsigned threads) {
  if (hashes.size() <= kPieceHashes) {
    insert_direct(spec_, mutable_table(), hashes);
  } else {
    insert_pieces(cut_in_pieces(hashes), threads);
  }
}

void Filter::insert_pieces(HashPieceList pieces, unsigned threads) {
  std::size_t count = 0;
  for (const auto piece : pieces) count += piece.size();
  const unsigned useful = useful_threads(threads, count);
  if (pays_to_sort_inserts(table_.size(), touches(spec_, count)) ||
      (useful > 1 && table_.size() > kPrivateTableBytes)) {
    if (spec_.kind == Kind::kBlocked) {
      bulk_insert(BlockedTable{&blocked_kernel_of(spec_), as_words(mutable_table()).data(),
                               blocks_of(spec_)},
                  pieces, useful);
    } else {
      bulk_insert(mutable_cells(spec_, mutable_table()), pieces, useful);
    }
  } else if (useful > 1) {
    insert_private(spec_, mutable_table(), pieces, useful);
  } else {
    for (const auto piece : pieces) insert_direct(spec_, mutable_table(), piece);
  }
}

void Filter::insert(std::span<const std::string_view> keys, unsigned threads) {
  if (!spec_.takes_hashes()) {
    for (const std::string_view key : keys) insert(key);
    return;
  }
  const unsigned useful = useful_threads(threads, keys.size());
  if (useful > 1 || pays_to_sort_inserts(table_.size(), touches(spec_, keys.size()))) {
    each_hashed_round(keys, useful, [&](std::span<const KeyHash> hashes, std::size_t) {
      insert(hashes, useful);
    });
    return;
  }
  std::array<KeyHash, kHashBatch> hashes;
  for (std::size_t begin = 0; begin < keys.size(); begin += kHashBatch) {
    const auto batch = keys.subspan(begin, std::min(kHashBatch, keys.size() - begin));
    spec_.hasher.hash_all(batch, hashes);
    insert_direct(spec_, mutable_table(), std::span(hashes).first(batch.size()));
  }
}

bool Filter::remove(KeyHash hash) noexcept {
  if (!may_contain(hash)) return false;
  Positions positions;
  remove_positions(mutable_cells(spec_, mutable_table()), hashed_positions(spec_, hash, positions));
  return true;
}

bool Filter::remove(std::string_view key) noexcept {
  return remove(spec_.hasher(key));
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
