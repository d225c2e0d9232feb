#include "filter/bulk.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/parallel.h"
#include "filter/partition.h"
#include "filter/positions.h"

namespace bloomery {
namespace {

// A part of the table stays in the second-level cache while its keys are applied; more parts than
// this would not leave room there for their staging lines.
constexpr std::uint64_t kPartBytes = std::uint64_t{512} << 10U;
constexpr std::uint64_t kMaxParts = 1024;
// Values in one round. The larger, the more keys share a line; but memory for them must be had, and
// the operating system clears it first: bench/, "bulk".
constexpr std::uint64_t kMinRound = std::uint64_t{32} << 20U;
constexpr std::uint64_t kMaxRound = std::uint64_t{128} << 20U;
// Tables below this are in cache anyway; calls below this are over before it matters.
constexpr std::uint64_t kMinTableBytes = std::uint64_t{32} << 20U;
constexpr std::uint64_t kMinTouches = std::uint64_t{4} << 20U;

constexpr std::uint64_t kWordsPerLine = 8;

// How a table of `lines` cache lines is cut into parts of 2^shift lines.
struct Parts {
  explicit Parts(std::uint64_t lines) noexcept {
    const std::uint64_t wanted = std::clamp<std::uint64_t>(lines * 64 / kPartBytes, 1, kMaxParts);
    shift = static_cast<unsigned>(std::bit_width(std::bit_ceil((lines + wanted - 1) / wanted)) - 1);
    count = static_cast<std::size_t>(((lines - 1) >> shift) + 1);
  }
  unsigned shift = 0;
  std::size_t count = 0;
};

// The i-th of `count` nearly equal ranges of `hashes`; each starts at a multiple of 64.
std::span<const KeyHash> range_of(std::span<const KeyHash> hashes, std::size_t i,
                                  std::size_t count) {
  const std::size_t words = (hashes.size() + 63) / 64;
  const std::size_t begin = std::min(hashes.size(), words * i / count * 64);
  const std::size_t end = std::min(hashes.size(), words * (i + 1) / count * 64);
  return hashes.subspan(begin, end - begin);
}

// How many rounds `values` values take, of a table of `lines` lines.
std::size_t rounds_for(std::uint64_t values, std::uint64_t lines, unsigned threads) {
  const std::uint64_t round = std::clamp(8 * lines, kMinRound, kMaxRound) / threads;
  return static_cast<std::size_t>(std::max<std::uint64_t>(1, (values + round - 1) / round));
}

// The pieces from `begin` on that make up one round of at most `hashes` hashes, but at least one.
HashPieceList round_of(HashPieceList pieces, std::size_t begin, std::uint64_t hashes) {
  std::size_t end = begin;
  std::uint64_t taken = 0;
  while (end < pieces.size() && (end == begin || taken + pieces[end].size() <= hashes)) {
    taken += pieces[end++].size();
  }
  return pieces.subspan(begin, end - begin);
}

// The t-th of `threads` shares of a round.
HashPieceList share_of(HashPieceList round, std::size_t t, unsigned threads) {
  const std::size_t begin = round.size() * t / threads;
  return round.subspan(begin, round.size() * (t + 1) / threads - begin);
}

std::size_t hashes_in(HashPieceList pieces) {
  std::size_t hashes = 0;
  for (const auto piece : pieces) hashes += piece.size();
  return hashes;
}

// Empty partitions with room for the shares of a round: those of the last one where they are large
// enough.
void make_room(std::vector<Partition>& partitions, HashPieceList round, std::size_t values_per_hash,
               std::size_t parts, unsigned threads) {
  std::size_t needed = 0;
  for (unsigned t = 0; t < threads; ++t) {
    needed = std::max(needed, hashes_in(share_of(round, t, threads)) * values_per_hash);
  }
  if (!partitions.empty() && partitions.front().capacity() >= needed) {
    for (Partition& partition : partitions) partition.reset();
    return;
  }
  partitions.clear();
  for (unsigned t = 0; t < threads; ++t) partitions.emplace_back(parts, needed);
}

// Partitions on `threads` threads, then applies the parts on `threads` threads, round after round.
// scatter(hash, partition) adds the values of a hash; apply(values) writes some of one part.
template <typename Scatter, typename Apply>
void insert_rounds(HashPieceList pieces, std::size_t values_per_hash, std::uint64_t lines,
                   std::size_t parts, unsigned threads, const Scatter& scatter,
                   const Apply& apply) {
  const std::uint64_t values = hashes_in(pieces) * values_per_hash;
  const std::uint64_t round_hashes = values / rounds_for(values, lines, 1) / values_per_hash + 1;
  std::vector<Partition> partitions;
  for (std::size_t begin = 0; begin < pieces.size();) {
    const HashPieceList round = round_of(pieces, begin, round_hashes);
    begin += round.size();
    make_room(partitions, round, values_per_hash, parts, threads);
    parallel_for(threads, threads, [&](std::size_t t) {
      for (const auto piece : share_of(round, t, threads)) {
        for (const KeyHash hash : piece) scatter(hash, partitions[t]);
      }
      partitions[t].finish();
    });
    parallel_for(threads, parts, [&](std::size_t part) {
      for (const auto& partition : partitions) {
        partition.each_piece(part, [&](auto part_values, std::size_t) { apply(part_values); });
      }
    });
  }
}

// A table of blocks that is asked, and how it is cut into parts.
struct QueryTable {
  const BlockedKernel* kernel;
  const std::uint64_t* words;
  std::uint64_t blocks;
  Parts parts;

  [[nodiscard]] std::size_t part_of(KeyHash hash) const noexcept {
    return block_of(hash, blocks) >> parts.shift;
  }
};

// Sorts the hashes, probes them part by part, and collects the answers in the order asked: the same
// walk over the hashes that gave each its place in a part finds its answer there again.
void query_round(const QueryTable& table, std::span<const KeyHash> hashes, std::uint64_t* answers,
                 Partition& partition, std::span<std::uint64_t> hits) {
  partition.reset();
  for (const KeyHash hash : hashes) {
    partition.add(table.part_of(hash), static_cast<std::uint64_t>(hash));
  }
  partition.finish();
  for (std::size_t part = 0; part < table.parts.count; ++part) {
    partition.each_piece(part, [&](std::span<const std::uint64_t> values, std::size_t place) {
      table.kernel->far.query(table.words, table.blocks,
                              reinterpret_cast<const KeyHash*>(values.data()), values.size(),
                              hits.data() + place / 64);
    });
  }
  PlaceWalk walk(partition);
  for (std::size_t start = 0; start < hashes.size(); start += 64) {
    const auto batch = hashes.subspan(start, std::min<std::size_t>(64, hashes.size() - start));
    std::uint64_t word = 0;
    for (const KeyHash hash : batch) {
      const std::size_t place = walk.next(table.part_of(hash));
      // Shifting answers in from the top is three times as fast as shifting each to its own place.
      word = (word >> 1U) | (((hits[place / 64] >> (place % 64)) & 1U) << 63U);
    }
    answers[start / 64] = word >> (64 - batch.size());
  }
}

}  // namespace

bool pays_to_sort_inserts(std::uint64_t table_bytes, std::uint64_t touches) noexcept {
  return table_bytes >= kMinTableBytes && touches >= kMinTouches && touches >= 2 * table_bytes / 64;
}

bool pays_to_sort_queries(std::uint64_t table_bytes, std::uint64_t touches) noexcept {
  return table_bytes >= kMinTableBytes && touches >= kMinTouches && touches >= 8 * table_bytes / 64;
}

void bulk_insert(const BlockedTable& table, HashPieceList pieces, unsigned threads) {
  const Parts parts(table.blocks);
  insert_rounds(
      pieces, 1, table.blocks, parts.count, threads,
      [&](KeyHash hash, Partition& partition) {
        partition.add(block_of(hash, table.blocks) >> parts.shift,
                      static_cast<std::uint64_t>(hash));
      },
      [&](std::span<const std::uint64_t> values) {
        table.kernel->far.insert(table.words, table.blocks,
                                 reinterpret_cast<const KeyHash*>(values.data()), values.size());
      });
}

void bulk_insert(const Cells& cells, HashPieceList pieces, unsigned threads) {
  const std::uint64_t words = table_bytes(cells.kind, cells.bits) / 8;
  const std::uint64_t lines = (words + kWordsPerLine - 1) / kWordsPerLine;
  const Parts parts(lines);
  const unsigned line_shift = cells.kind == Kind::kCounting ? 7 : 9;  // log2 of cells in a line
  insert_rounds(
      pieces, cells.hashes, lines, parts.count, threads,
      [&](KeyHash hash, Partition& partition) {
        PositionSequence sequence(hash, cells.bits);
        for (std::uint32_t i = 0; i < cells.hashes; ++i) {
          const std::uint64_t position = sequence.next();
          partition.add(position >> (line_shift + parts.shift), position);
        }
      },
      [&](std::span<const std::uint64_t> positions) { insert_positions(cells, positions); });
}

void bulk_query(const BlockedKernel& kernel, const std::uint64_t* words, std::uint64_t blocks,
                std::span<const KeyHash> hashes, std::uint64_t* answers, unsigned threads) {
  const QueryTable table{&kernel, words, blocks, Parts(blocks)};
  // Every thread sorts and answers a range of its own, so no two write the same word of answers.
  parallel_for(threads, threads, [&](std::size_t t) {
    const auto range = range_of(hashes, t, threads);
    std::uint64_t* to = answers + (range.data() - hashes.data()) / 64;
    const std::size_t rounds = rounds_for(range.size(), blocks, threads);
    Partition partition(table.parts.count, range.size() / rounds + 128);
    std::vector<std::uint64_t> hits(partition.place_count() / 64);
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto current = range_of(range, round, rounds);
      query_round(table, current, to + (current.data() - range.data()) / 64, partition, hits);
    }
  });
}

}  // namespace bloomery
