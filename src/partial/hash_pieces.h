// The hashes of one group on their way to a filter, or the positions of its keys.
//
//   takes   hashes or positions, one at a time
//   gives   pieces, to Filter::insert_pieces() and to partials
//
// Pieces start small, because there may be a hundred thousand groups, and grow to 64 KiB; nothing
// is copied to grow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bloomery/hash.h"

namespace bloomery {

template <typename T>
class Pieces {
 public:
  Pieces() = default;
  Pieces(Pieces&& other) noexcept { *this = std::move(other); }
  Pieces& operator=(Pieces&& other) noexcept {
    std::swap(pieces_, other.pieces_);
    std::swap(next_, other.next_);
    std::swap(end_, other.end_);
    std::swap(size_before_, other.size_before_);
    return *this;
  }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  ~Pieces() = default;

  // Bytes that this made the pieces grow by: nearly always none.
  std::size_t push(T value) {
    const std::size_t grown = next_ == end_ ? grow() : 0;
    *next_++ = value;
    return grown;
  }

  [[nodiscard]] std::size_t size() const noexcept;
  // Adds the pieces to a list. They are good while this object lives and is not pushed to.
  void append_to(std::vector<std::span<const T>>& list) const;
  void clear() noexcept { *this = Pieces(); }

 private:
  struct Piece {
    std::unique_ptr<T[]> values;  // NOLINT(*-avoid-c-arrays): no other is left uninitialised
    std::size_t capacity = 0;
  };
  static constexpr std::size_t kFirstPiece = 16;
  static constexpr std::size_t kLargestPiece = 8192;

  std::size_t grow();

  std::vector<Piece> pieces_;
  T* next_ = nullptr;
  T* end_ = nullptr;
  std::size_t size_before_ = 0;  // in all pieces but the last
};

using HashPieces = Pieces<KeyHash>;
using PositionPieces = Pieces<std::uint64_t>;

extern template class Pieces<KeyHash>;
extern template class Pieces<std::uint64_t>;

}  // namespace bloomery
