#include "filter/batch.h"

#include <algorithm>
#include <array>
#include <new>
#include <vector>

#include "base/memory.h"
#include "base/parallel.h"
#include "filter/bulk.h"
#include "filter/positions.h"
#include "filter/table_ops.h"

namespace bloomery {
namespace {

// Below this many keys a second thread costs more than it brings.
constexpr std::size_t kMinKeysPerThread = std::size_t{64} << 10U;
// Tables up to this size are copied for each thread; larger ones are cut into parts.
constexpr std::size_t kPrivateTableBytes = std::size_t{16} << 20U;

std::uint64_t blocks_of(const FilterSpec& spec) {
  return spec.bits / kBlockBits;
}

// Lines from memory that `keys` keys need.
std::uint64_t touches(const FilterSpec& spec, std::size_t keys) {
  return spec.kind == Kind::kBlocked ? keys : std::uint64_t{keys} * spec.hashes;
}

const BlockedLoops& loops_of(const FilterSpec& spec, std::size_t table_size) {
  const BlockedKernel& kernel = blocked_kernel_of(spec);
  return table_size <= kNearBytes ? kernel.near : kernel.far;
}

void insert_direct(const FilterSpec& spec, std::span<std::byte> table, const HashRange& range) {
  if (spec.kind == Kind::kBlocked) {
    range.each_batch([&loops = loops_of(spec, table.size()), words = as_words(table).data(),
                      blocks = blocks_of(spec)](std::span<const KeyHash> hashes, std::size_t) {
      loops.insert(words, blocks, hashes.data(), hashes.size());
    });
  } else {
    range.each_batch([cells = cells_of(spec, table)](std::span<const KeyHash> hashes, std::size_t) {
      insert_cells(cells, hashes);
    });
  }
}

// Texts are hashed one after the other, which takes as long as a line does to come; so some are
// hashed, their lines asked for, and as many that came kTextsAhead earlier are probed, in turns.
// Requires a range of at least kTextsAhead texts.
constexpr std::size_t kTextsAhead = 64;

void query_texts(const BlockedKernel& kernel, const std::uint64_t* words, std::uint64_t blocks,
                 const HashRange& range, std::uint64_t* answers) {
  constexpr std::size_t kStep = 8;
  auto keys = range.source->texts()->subspan(range.begin, range.size());
  const Hasher& hasher = range.source->hasher();
  std::array<KeyHash, kTextsAhead> waiting;  // their lines are on their way
  std::array<KeyHash, kStep> next;
  hasher.hash_all(keys.first(kTextsAhead), waiting);
  for (const KeyHash hash : waiting) {
    __builtin_prefetch(words + block_of(hash, blocks) * (kBlockBytes / sizeof *words));
  }
  for (keys = keys.subspan(kTextsAhead); keys.size() >= kTextsAhead;
       keys = keys.subspan(kTextsAhead)) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < kTextsAhead; i += kStep) {
      hasher.hash_all(keys.subspan(i, kStep), next);
      word |= kernel.query_eight(words, blocks, next.data(), waiting.data() + i) << i;
      std::ranges::copy(next, waiting.begin() + static_cast<std::ptrdiff_t>(i));
    }
    *answers++ = word;
  }
  kernel.near.query(words, blocks, waiting.data(), waiting.size(), answers++);
  hasher.hash_all(keys, waiting);
  kernel.far.query(words, blocks, waiting.data(), keys.size(), answers);
}

// `answers` is for the first hash of the range.
void query_direct(const FilterSpec& spec, std::span<const std::byte> table, const HashRange& range,
                  std::uint64_t* answers) {
  const auto answers_from = [&](std::size_t first) { return answers + (first - range.begin) / 64; };
  if (spec.kind == Kind::kBlocked && range.source->texts() != nullptr &&
      range.size() >= kTextsAhead && table.size() > kNearBytes) {
    query_texts(blocked_kernel_of(spec), as_words(table).data(), blocks_of(spec), range, answers);
  } else if (spec.kind == Kind::kBlocked) {
    range.each_batch(
        [&, &loops = loops_of(spec, table.size()), words = as_words(table).data(),
         blocks = blocks_of(spec)](std::span<const KeyHash> hashes, std::size_t first) {
          loops.query(words, blocks, hashes.data(), hashes.size(), answers_from(first));
        });
  } else {
    range.each_batch(
        [&, cells = cells_of(spec, table)](std::span<const KeyHash> hashes, std::size_t first) {
          query_cells(cells, hashes, answers_from(first));
        });
  }
}

// Each thread fills a table of its own with a range of the hashes; then they are merged.
void insert_private(const FilterSpec& spec, std::span<std::byte> table, const HashSource& source,
                    unsigned threads) {
  std::vector<TableBuffer> tables;
  tables.reserve(threads - 1);
  for (unsigned t = 1; t < threads; ++t) tables.emplace_back(table.size());
  parallel_for(threads, threads, [&](std::size_t t) {
    insert_direct(spec, t == 0 ? table : tables[t - 1].bytes(), all_of(source).part(t, threads));
  });
  for (const TableBuffer& partial : tables) merge_tables(spec.kind, table, partial.bytes());
}

}  // namespace

const BlockedKernel& blocked_kernel_of(const FilterSpec& spec) noexcept {
  return spec.hashes == 16 ? active_kernels().blocked_16 : active_kernels().blocked_8;
}

ConstCells cells_of(const FilterSpec& spec, std::span<const std::byte> table) {
  return {spec.kind, as_words(table).data(), spec.bits, spec.hashes};
}

Cells cells_of(const FilterSpec& spec, std::span<std::byte> table) {
  return {spec.kind, as_words(table).data(), spec.bits, spec.hashes};
}

unsigned useful_threads(unsigned threads, std::size_t keys) noexcept {
  return static_cast<unsigned>(
      std::clamp<std::size_t>(keys / kMinKeysPerThread, 1, thread_count(threads)));
}

void insert_one(const FilterSpec& spec, std::span<std::byte> table, KeyHash hash) noexcept {
  if (spec.kind == Kind::kBlocked) {
    blocked_kernel_of(spec).near.insert(as_words(table).data(), blocks_of(spec), &hash, 1);
  } else {
    insert_cells(cells_of(spec, table), std::span(&hash, 1));
  }
}

void insert_batch(const FilterSpec& spec, std::span<std::byte> table, const HashSource& source,
                  unsigned threads) {
  const unsigned useful = useful_threads(threads, source.size());
  if (pays_to_sort_inserts(table.size(), touches(spec, source.size())) ||
      (useful > 1 && table.size() > kPrivateTableBytes)) {
    if (spec.kind == Kind::kBlocked) {
      bulk_insert(BlockedTable{&blocked_kernel_of(spec), as_words(table).data(), blocks_of(spec)},
                  source, useful);
    } else {
      bulk_insert(cells_of(spec, table), source, useful);
    }
  } else if (useful > 1) {
    insert_private(spec, table, source, useful);
  } else {
    insert_direct(spec, table, all_of(source));
  }
}

void query_batch(const FilterSpec& spec, std::span<const std::byte> table, const HashSource& source,
                 std::uint64_t* answers, unsigned threads) {
  const unsigned useful = useful_threads(threads, source.size());
  if (spec.kind == Kind::kBlocked && pays_to_sort_queries(table.size(), source.size())) {
    try {
      return bulk_query(blocked_kernel_of(spec), as_words(table).data(), blocks_of(spec), source,
                        answers, useful);
    } catch (const std::bad_alloc&) {
      // Sorting is for speed: asking as they come needs no memory.
    }
  }
  if (useful == 1) return query_direct(spec, table, all_of(source), answers);
  // Every range starts at a multiple of 64, so no two threads write the same word of answers.
  parallel_for(useful, useful, [&](std::size_t t) {
    const HashRange range = all_of(source).part(t, useful);
    query_direct(spec, table, range, answers + range.begin / 64);
  });
}

}  // namespace bloomery
