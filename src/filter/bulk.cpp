#include "filter/bulk.h"

#include <algorithm>
#include <array>
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
// Values in one round. The larger, the more keys share a line: bench/, "bulk".
constexpr std::size_t kInsertRound = std::size_t{32} << 20U;
constexpr std::size_t kQueryRound = std::size_t{32} << 20U;

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

std::size_t rounds_for(std::size_t values, std::size_t round) {
  return std::max<std::size_t>(1, (values + round - 1) / round);
}

// Partitions on `threads` threads, then applies the parts on `threads` threads, round after round.
// scatter(hashes, partition) adds the values of some hashes; apply(values) writes one piece.
template <typename Scatter, typename Apply>
void insert_rounds(std::span<const KeyHash> hashes, std::size_t values_per_hash, std::size_t parts,
                   unsigned threads, const Scatter& scatter, const Apply& apply) {
  const std::size_t rounds = rounds_for(hashes.size() * values_per_hash, kInsertRound);
  const std::size_t hashes_per_range = hashes.size() / (rounds * threads) + 128;
  std::vector<Partition<false>> partitions;
  partitions.reserve(threads);
  for (unsigned t = 0; t < threads; ++t) {
    partitions.emplace_back(parts, hashes_per_range * values_per_hash);
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto current = range_of(hashes, round, rounds);
    parallel_for(threads, threads, [&](std::size_t t) {
      partitions[t].reset();
      scatter(range_of(current, t, threads), partitions[t]);
      partitions[t].finish();
    });
    parallel_for(threads, parts, [&](std::size_t part) {
      for (const auto& partition : partitions) {
        partition.each_piece(part, [&](auto values, const std::uint32_t*) { apply(values); });
      }
    });
  }
}

// Sorts the hashes of one round, probes them part by part, and puts the answers back in order.
void query_round(const BlockedKernel& kernel, const std::uint64_t* words, std::uint64_t blocks,
                 std::span<const KeyHash> hashes, std::uint64_t* answers, const Parts& parts,
                 Partition<true>& partition) {
  partition.reset();
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    partition.add(block_of(hashes[i], blocks) >> parts.shift, static_cast<std::uint64_t>(hashes[i]),
                  static_cast<std::uint32_t>(i));
  }
  partition.finish();
  std::fill_n(answers, (hashes.size() + 63) / 64, 0);
  std::array<std::uint64_t, 32> hits;
  for (std::size_t part = 0; part < parts.count; ++part) {
    partition.each_piece(
        part, [&](std::span<const std::uint64_t> values, const std::uint32_t* ids) {
          kernel.query(words, blocks, reinterpret_cast<const KeyHash*>(values.data()),
                       values.size(), hits.data());
          for (std::size_t base = 0; base < values.size(); base += 64) {
            for (std::uint64_t hit = hits[base / 64]; hit != 0; hit &= hit - 1) {
              const std::uint32_t id = ids[base + static_cast<std::size_t>(std::countr_zero(hit))];
              answers[id / 64] |= std::uint64_t{1} << (id % 64);
            }
          }
        });
  }
}

}  // namespace

bool pays_to_partition(std::uint64_t table_bytes, std::uint64_t touches) noexcept {
  return table_bytes >= (std::uint64_t{32} << 20U) && touches >= (std::uint64_t{4} << 20U) &&
         touches >= table_bytes / 64;
}

void bulk_insert(const BlockedTable& table, std::span<const KeyHash> hashes, unsigned threads) {
  const Parts parts(table.blocks);
  insert_rounds(
      hashes, 1, parts.count, threads,
      [&](std::span<const KeyHash> range, Partition<false>& partition) {
        for (const KeyHash hash : range) {
          partition.add(block_of(hash, table.blocks) >> parts.shift,
                        static_cast<std::uint64_t>(hash));
        }
      },
      [&](std::span<const std::uint64_t> values) {
        table.kernel->insert(table.words, table.blocks,
                             reinterpret_cast<const KeyHash*>(values.data()), values.size());
      });
}

void bulk_insert(const Cells& cells, std::span<const KeyHash> hashes, unsigned threads) {
  const std::uint64_t words = table_bytes(cells.kind, cells.bits) / 8;
  const Parts parts((words + kWordsPerLine - 1) / kWordsPerLine);
  const unsigned line_shift = cells.kind == Kind::kCounting ? 7 : 9;  // log2 of cells in a line
  insert_rounds(
      hashes, cells.hashes, parts.count, threads,
      [&](std::span<const KeyHash> range, Partition<false>& partition) {
        for (const KeyHash hash : range) {
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
                std::span<const KeyHash> hashes, std::uint64_t* answers, unsigned threads) {
  const Parts parts(blocks);
  // Every thread sorts and answers a range of its own, so no two write the same word of answers.
  parallel_for(threads, threads, [&](std::size_t t) {
    const auto range = range_of(hashes, t, threads);
    std::uint64_t* to = answers + (range.data() - hashes.data()) / 64;
    const std::size_t rounds = rounds_for(range.size(), kQueryRound / threads);
    Partition<true> partition(parts.count, range.size() / rounds + 128);
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto current = range_of(range, round, rounds);
      query_round(kernel, words, blocks, current, to + (current.data() - range.data()) / 64, parts,
                  partition);
    }
  });
}

}  // namespace bloomery
