#include "partial/blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "base/checksum.h"
#include "base/endian.h"
#include "filter/table_ops.h"

namespace bloomery {
namespace {

void append(std::vector<std::byte>& to, std::uint64_t number) {
  to.resize(to.size() + sizeof number);
  store_le(to.data() + to.size() - sizeof number, number);
}

// How often each value of a counter occurs, in whole words.
std::array<std::uint64_t, 16> histogram(std::span<const std::byte> counters) {
  std::array<std::uint64_t, 16> counts{};
  for (const std::byte pair : counters) {
    const auto both = std::to_integer<unsigned>(pair);
    ++counts[both & 15U];
    ++counts[both >> 4U];
  }
  return counts;
}

double entropy_bits(std::span<const std::uint64_t> counts) {
  double sum = 0;
  double total = 0;
  for (const std::uint64_t count : counts) {
    if (count == 0) continue;
    const auto c = static_cast<double>(count);
    sum -= c * std::log2(c);
    total += c;
  }
  return total > 0 ? std::max(0.0, sum + total * std::log2(total)) : 0;
}

}  // namespace

TableBlocks::TableBlocks(const FilterSpec& spec) noexcept
    : table_bytes_(table_bytes(spec.kind, spec.bits)),
      cells_(spec.bits),
      cell_shift_(spec.kind == Kind::kCounting ? 21 : 23),
      count_(static_cast<std::uint32_t>((table_bytes_ + kPartialBlockBytes - 1) /
                                        kPartialBlockBytes)) {}

std::uint64_t TableBlocks::bytes(std::uint32_t block) const noexcept {
  return std::min(kPartialBlockBytes, table_bytes_ - first_byte(block));
}

BlockCells TableBlocks::cells(std::uint32_t block) const noexcept {
  const std::uint64_t begin = std::uint64_t{block} << cell_shift_;
  return {begin, std::min(cells_, begin + (std::uint64_t{1} << cell_shift_))};
}

std::uint64_t spec_check(const FilterSpec& spec) {
  std::vector<std::byte> bytes;
  append(bytes, static_cast<std::uint64_t>(spec.dialect));
  append(bytes, static_cast<std::uint64_t>(spec.kind));
  append(bytes, static_cast<std::uint64_t>(spec.hasher.id()));
  append(bytes, spec.hasher.seed());
  append(bytes, spec.hasher.self_check());
  append(bytes, std::bit_cast<std::uint64_t>(spec.fpr));
  append(bytes, spec.planned_keys);
  append(bytes, spec.bits);
  append(bytes, spec.hashes);
  for (const std::uint64_t seed : spec.seeds) append(bytes, seed);
  return checksum64(bytes);
}

double block_entropy_bytes(Kind kind, std::uint64_t cells, std::span<const std::byte> table) {
  if (kind != Kind::kCounting) {
    const std::uint64_t ones = count_ones(kind, table);
    return entropy_bits(std::array{ones, cells - ones}) / 8;
  }
  auto counts = histogram(table);
  counts[0] -= table.size() * 2 - cells;
  return entropy_bits(counts) / 8;
}

}  // namespace bloomery
