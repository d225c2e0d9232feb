// How a table is cut for the way: blocks of 1 MiB, and the cells of a key in them.
//
// A block here is a range of a table's bytes, the unit that travels and that a merger need hold;
// the 512-bit blocks of the blocked kind are called lines. A line never crosses the end of a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bloomery/spec.h"
#include "filter/positions.h"

namespace bloomery {

// This is format.
inline constexpr std::uint64_t kPartialBlockBytes = std::uint64_t{1} << 20U;
// Stands for the number of a block where hashes are for the whole table.
inline constexpr std::uint32_t kWholeTable = UINT32_MAX;

// The cells of one block: numbers [begin, end) of all cells of the table.
struct BlockCells {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const noexcept { return end - begin; }
};

class TableBlocks {
 public:
  explicit TableBlocks(const FilterSpec& spec) noexcept;

  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  [[nodiscard]] static std::uint64_t first_byte(std::uint32_t block) noexcept {
    return block * kPartialBlockBytes;
  }
  [[nodiscard]] std::uint64_t bytes(std::uint32_t block) const noexcept;
  [[nodiscard]] BlockCells cells(std::uint32_t block) const noexcept;
  [[nodiscard]] std::uint32_t of_cell(std::uint64_t cell) const noexcept {
    return static_cast<std::uint32_t>(cell >> cell_shift_);
  }
  // The block of a hash's line. Blocked kind only; it never falls as hashes rise.
  [[nodiscard]] std::uint32_t of_line(KeyHash hash) const noexcept {
    return of_cell(block_of(hash, cells_ / kBlockBits) * kBlockBits);
  }
  // 4 for positions below 2^32, else 8.
  [[nodiscard]] unsigned position_width() const noexcept {
    return cells_ <= (std::uint64_t{1} << 32U) ? 4 : 8;
  }

 private:
  std::uint64_t table_bytes_;
  std::uint64_t cells_;
  unsigned cell_shift_;
  std::uint32_t count_;
};

// Calls visit(cell) for every position of a hash, in order, repeats included.
template <typename Visit>
void each_position(const FilterSpec& spec, KeyHash hash, const Visit& visit) {
  if (spec.kind != Kind::kBlocked) {
    PositionSequence sequence(hash, spec.bits);
    for (std::uint32_t i = 0; i < spec.hashes; ++i) visit(sequence.next());
    return;
  }
  const std::uint64_t line = block_of(hash, spec.bits / kBlockBits) * kBlockBits;
  const auto visit_mask = [&](std::uint64_t source) {
    for (unsigned word = 0; word < 8; ++word) {
      visit(line + std::uint64_t{64} * word + ((source >> (kMaskShift + kMaskStep * word)) & 63U));
    }
  };
  visit_mask(first_mask_source(hash));
  if (spec.hashes == 16) visit_mask(second_mask_source(hash));
}

// Equal for equal specs: a partial made for another spec must not be merged.
[[nodiscard]] std::uint64_t spec_check(const FilterSpec& spec);

// What `cells` of a block cost at least if they were independent, in bytes: the yardstick. For the
// counting kind, of the counters' values.
[[nodiscard]] double block_entropy_bytes(Kind kind, std::uint64_t cells,
                                         std::span<const std::byte> table);

}  // namespace bloomery
