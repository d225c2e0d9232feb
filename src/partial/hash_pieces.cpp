#include "partial/hash_pieces.h"

#include <algorithm>

namespace bloomery {

std::size_t HashPieces::grow() {
  const std::size_t last = pieces_.empty() ? 0 : pieces_.back().capacity;
  const std::size_t capacity = std::clamp(2 * last, kFirstPiece, kLargestPiece);
  // Not make_unique, which would clear it first.
  pieces_.push_back({std::unique_ptr<KeyHash[]>(new KeyHash[capacity]), capacity});  // NOLINT
  size_before_ += last;
  next_ = pieces_.back().hashes.get();
  end_ = next_ + capacity;
  return capacity * sizeof(KeyHash);
}

std::size_t HashPieces::size() const noexcept {
  if (pieces_.empty()) return 0;
  return size_before_ + static_cast<std::size_t>(next_ - pieces_.back().hashes.get());
}

void HashPieces::append_to(std::vector<std::span<const KeyHash>>& list) const {
  for (const Piece& piece : pieces_) {
    const bool is_last = &piece == &pieces_.back();
    list.emplace_back(piece.hashes.get(), is_last ? size() - size_before_ : piece.capacity);
  }
}

}  // namespace bloomery
