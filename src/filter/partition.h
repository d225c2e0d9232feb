// Sorts a stream of hashes or positions into parts, at the speed of memory.
//
//   takes   values, each with the number of its part
//   gives   the values of one part after the other, in pieces
//
// A value is first put on a staging line of its part, which stays in cache; full lines are streamed
// past the cache into pieces of memory that the parts share. So one pass over the values is enough,
// nothing is known of the distribution beforehand, and no distribution can overflow anything.
//
// Every value has a place. The values of a part keep their order, so whoever asks for the places of
// the same parts in the same order as the values came finds each value again (PlaceWalk).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.h"
#include "bloomery/hash.h"

namespace bloomery {

// Values that lie together.
inline constexpr std::size_t kPartitionPiece = 2048;

// Value: KeyHash or std::uint64_t.
template <typename Value>
class Partition {
 public:
  static constexpr std::size_t kPiece = kPartitionPiece;

  // Room for `capacity` values in up to `parts` parts. May throw std::bad_alloc.
  Partition(std::size_t parts, std::size_t capacity);

  void add(std::size_t part, Value value) noexcept {
    std::size_t& end = end_[part];
    stages_[part].values[end % kStage] = value;
    if (++end % kStage == 0) flush(part);
  }

  // Call when all values are added, before each_piece().
  void finish() noexcept;

  // Calls visit(values, place of the first value) for every piece of a part. Places of pieces are
  // multiples of kPiece.
  template <typename Visit>
  void each_piece(std::size_t part, const Visit& visit) const {
    const std::size_t last = end_[part] / kPiece;
    for (std::size_t piece = part; piece != last; piece = next_[piece]) {
      visit(std::span<const Value>(values_at(piece * kPiece), kPiece), piece * kPiece);
    }
    const std::size_t rest = end_[part] % kPiece;
    if (rest != 0) visit(std::span<const Value>(values_at(last * kPiece), rest), last * kPiece);
  }

  // Forgets all values and keeps the memory.
  void reset() noexcept;

  // All places are below this.
  [[nodiscard]] std::size_t place_count() const noexcept { return next_.size() * kPiece; }
  [[nodiscard]] std::size_t parts() const noexcept { return end_.size(); }

  [[nodiscard]] std::size_t place_after(std::size_t place) const noexcept {
    if ((place + 1) % kPiece == 0) [[unlikely]]
      return next_[place / kPiece] * kPiece;
    return place + 1;
  }

 private:
  // Two cache lines: a line that is full is a branch that was not foreseen, so not too often.
  static constexpr std::size_t kStage = 16;

  struct alignas(64) Stage {
    std::array<Value, kStage> values;
  };

  [[nodiscard]] Value* values_at(std::size_t place) const noexcept {
    return reinterpret_cast<Value*>(values_.data()) + place;
  }

  // Streams the full staging lines of a part to their place, and takes a new piece where one is
  // full.
  void flush(std::size_t part) noexcept;

  TableBuffer values_;
  std::vector<Stage> stages_;
  std::vector<std::size_t> end_;   // the place of each part's next value; piece i is part i's first
  std::vector<std::size_t> next_;  // the piece that follows each full piece
  std::size_t used_pieces_ = 0;
};

// Goes through the places of a partition again, in the order in which the values were added.
class PlaceWalk {
 public:
  explicit PlaceWalk(const Partition<KeyHash>& partition);

  // The place of the next value of `part`.
  [[nodiscard]] std::size_t next(std::size_t part) noexcept {
    const std::size_t place = places_[part];
    places_[part] = partition_->place_after(place);
    return place;
  }

 private:
  const Partition<KeyHash>* partition_;
  std::vector<std::size_t> places_;
};

}  // namespace bloomery
