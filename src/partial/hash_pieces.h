// The hashes of one group on their way to a filter.
//
//   takes   hashes, one at a time
//   gives   pieces, to Filter::insert_pieces() and to partials
//
// Pieces start small, because there may be a hundred thousand groups, and grow to 64 KiB; nothing
// is copied to grow.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bloomery/hash.h"

namespace bloomery {

class HashPieces {
 public:
  HashPieces() = default;
  HashPieces(HashPieces&& other) noexcept { *this = std::move(other); }
  HashPieces& operator=(HashPieces&& other) noexcept {
    std::swap(pieces_, other.pieces_);
    std::swap(next_, other.next_);
    std::swap(end_, other.end_);
    std::swap(size_before_, other.size_before_);
    return *this;
  }
  HashPieces(const HashPieces&) = delete;
  HashPieces& operator=(const HashPieces&) = delete;
  ~HashPieces() = default;

  // Bytes that this made the pieces grow by: nearly always none.
  std::size_t push(KeyHash hash) {
    const std::size_t grown = next_ == end_ ? grow() : 0;
    *next_++ = hash;
    return grown;
  }

  [[nodiscard]] std::size_t size() const noexcept;
  // Adds the pieces to a list. They are good while this object lives and is not pushed to.
  void append_to(std::vector<std::span<const KeyHash>>& list) const;
  void clear() noexcept { *this = HashPieces(); }

 private:
  struct Piece {
    std::unique_ptr<KeyHash[]> hashes;  // NOLINT(*-avoid-c-arrays): no other is left uninitialised
    std::size_t capacity = 0;
  };
  static constexpr std::size_t kFirstPiece = 16;
  static constexpr std::size_t kLargestPiece = 8192;

  std::size_t grow();

  std::vector<Piece> pieces_;
  KeyHash* next_ = nullptr;
  KeyHash* end_ = nullptr;
  std::size_t size_before_ = 0;  // in all pieces but the last
};

}  // namespace bloomery
