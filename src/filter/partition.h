// Sorts a stream of 64-bit values into parts, at the speed of memory.
//
//   takes   values, each with the number of its part
//   gives   the values of one part after the other
//
// A value is first put on a staging line of its part, which stays in cache; full lines are streamed
// past the cache into pieces of memory that the parts share. So one pass over the values is enough,
// nothing is known of the distribution beforehand, and no distribution can overflow anything.
//
// With WithIds = true every value carries a 32-bit number along: its place in the order asked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.h"

namespace bloomery {

template <bool WithIds>
class Partition {
 public:
  // Room for `capacity` values in up to `parts` parts. May throw std::bad_alloc.
  Partition(std::size_t parts, std::size_t capacity);

  void add(std::size_t part, std::uint64_t value, std::uint32_t id = 0) noexcept {
    Stage& stage = stages_[part];
    std::uint32_t& filled = filled_[part];
    stage.values[filled] = value;
    if constexpr (WithIds) stage.ids[filled] = id;
    if (++filled == kStage) {
      flush(part);
      filled = 0;
    }
  }

  // Call when all values are added, before each_piece().
  void finish() noexcept;

  // Calls visit(values, ids) for every piece of a part. `ids` is null without ids.
  template <typename Visit>
  void each_piece(std::size_t part, const Visit& visit) const {
    for (std::uint32_t piece = first_[part]; piece != kNone; piece = next_[piece]) {
      const bool is_last = next_[piece] == kNone;
      const std::size_t size = is_last ? last_size_[part] : kPiece;
      visit(std::span(values_of(piece), size), ids_of(piece));
    }
  }

  // Forgets all values and keeps the memory.
  void reset() noexcept;

  [[nodiscard]] static std::size_t bytes_for(std::size_t parts, std::size_t capacity) noexcept {
    return pieces_for(parts, capacity) * kPiece * (sizeof(std::uint64_t) + (WithIds ? 4 : 0));
  }

 private:
  // A whole number of cache lines, of values and of ids.
  static constexpr std::size_t kStage = WithIds ? 16 : 8;
  static constexpr std::size_t kPiece = 2048;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct alignas(64) Stage {
    std::array<std::uint64_t, kStage> values;
    [[no_unique_address]] std::array<std::uint32_t, WithIds ? kStage : 0> ids;
  };

  // Every part may leave its last piece nearly empty.
  static std::size_t pieces_for(std::size_t parts, std::size_t capacity) noexcept {
    return capacity / kPiece + parts + 1;
  }

  [[nodiscard]] std::uint64_t* values_of(std::uint32_t piece) const noexcept {
    return reinterpret_cast<std::uint64_t*>(values_.data()) + std::size_t{piece} * kPiece;
  }
  [[nodiscard]] std::uint32_t* ids_of(std::uint32_t piece) const noexcept {
    if constexpr (!WithIds) return nullptr;
    return reinterpret_cast<std::uint32_t*>(ids_.data()) + std::size_t{piece} * kPiece;
  }

  void flush(std::size_t part) noexcept;
  // The place for the next values of a part, in a new piece where the last one is full.
  void make_room(std::size_t part) noexcept;

  TableBuffer values_;
  TableBuffer ids_;
  std::vector<Stage> stages_;
  std::vector<std::uint32_t> filled_;  // values on the staging line of each part
  std::vector<std::uint32_t> first_;   // first and last piece of each part
  std::vector<std::uint32_t> last_;
  std::vector<std::uint32_t> last_size_;  // values in the last piece
  std::vector<std::uint32_t> next_;       // the piece that follows each piece
  std::uint32_t used_pieces_ = 0;
};

extern template class Partition<false>;
extern template class Partition<true>;

}  // namespace bloomery
