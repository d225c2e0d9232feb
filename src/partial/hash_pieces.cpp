#include "partial/hash_pieces.h"

#include <algorithm>

namespace bloomery {

template <typename T>
std::size_t Pieces<T>::grow() {
  const std::size_t last = pieces_.empty() ? 0 : pieces_.back().capacity;
  const std::size_t capacity = std::clamp(2 * last, kFirstPiece, kLargestPiece);
  // Not make_unique, which would clear it first.
  pieces_.push_back({std::unique_ptr<T[]>(new T[capacity]), capacity});  // NOLINT
  size_before_ += last;
  next_ = pieces_.back().values.get();
  end_ = next_ + capacity;
  return capacity * sizeof(T);
}

template <typename T>
std::size_t Pieces<T>::size() const noexcept {
  if (pieces_.empty()) return 0;
  return size_before_ + static_cast<std::size_t>(next_ - pieces_.back().values.get());
}

template <typename T>
void Pieces<T>::append_to(std::vector<std::span<const T>>& list) const {
  for (const Piece& piece : pieces_) {
    const bool is_last = &piece == &pieces_.back();
    list.emplace_back(piece.values.get(), is_last ? size() - size_before_ : piece.capacity);
  }
}

template class Pieces<KeyHash>;
template class Pieces<std::uint64_t>;

}  // namespace bloomery
