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

// How many rounds `values` values take, of a table of `lines` lines.
std::size_t rounds_for(std::uint64_t values, std::uint64_t lines, unsigned threads) {
  const std::uint64_t round = std::clamp(8 * lines, kMinRound, kMaxRound) / threads;
  return static_cast<std::size_t>(std::max<std::uint64_t>(1, (values + round - 1) / round));
}

// Partitions on `threads` threads, then applies the parts on `threads` threads, round after round.
// scatter(hashes, partition) adds the values of some hashes; apply(values) writes some of one part.
template <typename Value, typename Scatter, typename Apply>
void insert_rounds(const HashSource& source, std::size_t values_per_hash, std::uint64_t lines,
                   std::size_t parts, unsigned threads, const Scatter& scatter,
                   const Apply& apply) {
  const std::size_t rounds = rounds_for(source.size() * values_per_hash, lines, 1);
  const std::size_t hashes_per_range = source.size() / (rounds * threads) + 128;
  std::vector<Partition<Value>> partitions;
  partitions.reserve(threads);
  for (unsigned t = 0; t < threads; ++t) {
    partitions.emplace_back(parts, hashes_per_range * values_per_hash);
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    const HashRange current = all_of(source).part(round, rounds);
    parallel_for(threads, threads, [&](std::size_t t) {
      partitions[t].reset();
      current.part(t, threads).each_batch([&](std::span<const KeyHash> hashes, std::size_t) {
        scatter(hashes, partitions[t]);
      });
      partitions[t].finish();
    });
    parallel_for(threads, parts, [&](std::size_t part) {
      for (const auto& partition : partitions) {
        partition.each_piece(part, [&](auto values, std::size_t) { apply(values); });
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

// Finds each hash's answer where the partition put the hash, and puts it where it was asked.
void collect_answers(const QueryTable& table, std::span<const KeyHash> hashes,
                     std::span<const std::uint64_t> hits, PlaceWalk& walk, std::uint64_t* answers) {
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

// Sorts the hashes, probes them part by part, and collects the answers in the order asked: the same
// walk over the hashes that gave each its place in a part finds its answer there again.
void query_round(const QueryTable& table, const HashRange& range, std::uint64_t* answers,
                 Partition<KeyHash>& partition, std::span<std::uint64_t> hits) {
  partition.reset();
  range.each_batch([&](std::span<const KeyHash> hashes, std::size_t) {
    for (const KeyHash hash : hashes) {
      partition.add(table.part_of(hash), hash);
    }
  });
  partition.finish();
  for (std::size_t part = 0; part < table.parts.count; ++part) {
    partition.each_piece(part, [&](std::span<const KeyHash> hashes, std::size_t place) {
      table.kernel->far.query(table.words, table.blocks, hashes.data(), hashes.size(),
                              hits.data() + place / 64);
    });
  }
  PlaceWalk walk(partition);
  range.each_batch([&](std::span<const KeyHash> hashes, std::size_t first) {
    collect_answers(table, hashes, hits, walk, answers + (first - range.begin) / 64);
  });
}

}  // namespace

bool pays_to_sort_inserts(std::uint64_t table_bytes, std::uint64_t touches) noexcept {
  return table_bytes >= kMinTableBytes && touches >= kMinTouches && touches >= 2 * table_bytes / 64;
}

bool pays_to_sort_queries(std::uint64_t table_bytes, std::uint64_t touches) noexcept {
  return table_bytes >= kMinTableBytes && touches >= kMinTouches && touches >= 8 * table_bytes / 64;
}

void bulk_insert(const BlockedTable& table, const HashSource& source, unsigned threads) {
  const Parts parts(table.blocks);
  insert_rounds<KeyHash>(
      source, 1, table.blocks, parts.count, threads,
      [&](std::span<const KeyHash> hashes, Partition<KeyHash>& partition) {
        for (const KeyHash hash : hashes) {
          partition.add(block_of(hash, table.blocks) >> parts.shift, hash);
        }
      },
      [&](std::span<const KeyHash> hashes) {
        table.kernel->far.insert(table.words, table.blocks, hashes.data(), hashes.size());
      });
}

void bulk_insert(const Cells& cells, const HashSource& source, unsigned threads) {
  const std::uint64_t words = table_bytes(cells.kind, cells.bits) / 8;
  const std::uint64_t lines = (words + kWordsPerLine - 1) / kWordsPerLine;
  const Parts parts(lines);
  const unsigned line_shift = cells.kind == Kind::kCounting ? 7 : 9;  // log2 of cells in a line
  insert_rounds<std::uint64_t>(
      source, cells.hashes, lines, parts.count, threads,
      [&](std::span<const KeyHash> hashes, Partition<std::uint64_t>& partition) {
        for (const KeyHash hash : hashes) {
          PositionSequence sequence(hash, cells.bits);
          for (std::uint32_t i = 0; i < cells.hashes; ++i) {
            const std::uint64_t position = sequence.next();
            partition.add(position >> (line_shift + parts.shift), position);
          }
        }
      },
      [&](std::span<const std::uint64_t> positions) { insert_positions(cells, positions); });
}

void bulk_query(const BlockedKernel& kernel, const std::uint64_t* words, std::uint64_t blocks,
                const HashSource& source, std::uint64_t* answers, unsigned threads) {
  const QueryTable table{&kernel, words, blocks, Parts(blocks)};
  // Every thread sorts and answers a range of its own, so no two write the same word of answers.
  parallel_for(threads, threads, [&](std::size_t t) {
    const HashRange range = all_of(source).part(t, threads);
    const std::size_t rounds = rounds_for(range.size(), blocks, threads);
    Partition<KeyHash> partition(table.parts.count, range.size() / rounds + 128);
    std::vector<std::uint64_t> hits(partition.place_count() / 64);
    for (std::size_t round = 0; round < rounds; ++round) {
      const HashRange current = range.part(round, rounds);
      query_round(table, current, answers + current.begin / 64, partition, hits);
    }
  });
}

}  // namespace bloomery
