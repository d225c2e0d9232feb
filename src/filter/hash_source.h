// Hashes to come: ready ones, in one piece or several, or keys and how to hash them.
//
//   takes   the keys or hashes of one call
//   gives   their hashes, some at a time
//
// So that every way through a filter is written once, and keys are hashed where their hashes are
// used, in a buffer that stays in the first-level cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "bloomery/hash.h"

namespace bloomery {

// Keys are hashed this many at a time. More do not fit the first-level cache; fewer make the loops,
// which start anew with every batch, wait for memory more often (docs/decisions/speed.md).
inline constexpr std::size_t kHashBatch = 1024;

// Pieces of ready hashes, and the number of each one's first.
struct PiecedHashes {
  explicit PiecedHashes(std::span<const std::span<const KeyHash>> list) : pieces(list) {
    firsts.reserve(list.size());
    for (const auto piece : list) {
      firsts.push_back(count);
      count += piece.size();
    }
  }

  // As HashSource::get(). They lie in `buffer` where they come from more than one piece.
  [[nodiscard]] std::span<const KeyHash> get(std::size_t first, std::size_t wanted,
                                             KeyHash* buffer) const noexcept {
    auto piece = static_cast<std::size_t>(std::upper_bound(firsts.begin(), firsts.end(), first) -
                                          firsts.begin() - 1);
    const auto rest = pieces[piece].subspan(first - firsts[piece]);
    if (rest.size() >= wanted) return rest.first(wanted);
    KeyHash* const end = buffer + wanted;
    KeyHash* to = std::copy(rest.begin(), rest.end(), buffer);
    while (to != end) {
      const auto next = pieces[++piece];
      to = std::copy_n(next.begin(), std::min<std::ptrdiff_t>(end - to, std::ssize(next)), to);
    }
    return {buffer, wanted};
  }

  std::span<const std::span<const KeyHash>> pieces;
  std::vector<std::size_t> firsts;
  std::size_t count = 0;
};

class HashSource {
 public:
  explicit HashSource(std::span<const KeyHash> ready) noexcept
      : keys_(ready), size_(ready.size()) {}
  explicit HashSource(std::span<const std::span<const KeyHash>> pieces)
      : keys_(PiecedHashes(pieces)), size_(std::get<PiecedHashes>(keys_).count) {}
  // `hasher` must outlive the source.
  HashSource(const Hasher& hasher, std::span<const std::string_view> keys) noexcept
      : hasher_(&hasher), keys_(keys), size_(keys.size()) {}
  HashSource(const Hasher& hasher, std::span<const std::uint64_t> keys) noexcept
      : hasher_(&hasher), keys_(keys), size_(keys.size()) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // All hashes, where they lie together; else null.
  [[nodiscard]] const std::span<const KeyHash>* ready() const noexcept {
    return std::get_if<std::span<const KeyHash>>(&keys_);
  }

  // Keys that are texts, and how to hash them; else null.
  [[nodiscard]] const std::span<const std::string_view>* texts() const noexcept {
    return std::get_if<std::span<const std::string_view>>(&keys_);
  }
  [[nodiscard]] const Hasher& hasher() const noexcept { return *hasher_; }

  // `count` hashes from number `first` on, of which there must be so many and at least one. They
  // lie in `buffer`, which has room for them, unless they were ready in one piece.
  [[nodiscard]] std::span<const KeyHash> get(std::size_t first, std::size_t count,
                                             KeyHash* buffer) const noexcept {
    if (ready() != nullptr) return ready()->subspan(first, count);
    if (const auto* pieces = std::get_if<PiecedHashes>(&keys_)) {
      return pieces->get(first, count, buffer);
    }
    const std::span hashes(buffer, count);
    if (texts() != nullptr) {
      hasher_->hash_all(texts()->subspan(first, count), hashes);
    } else if (const auto* numbers = std::get_if<std::span<const std::uint64_t>>(&keys_)) {
      hasher_->hash_all(numbers->subspan(first, count), hashes);
    }
    return hashes;
  }

 private:
  const Hasher* hasher_ = nullptr;
  std::variant<std::span<const KeyHash>, PiecedHashes, std::span<const std::string_view>,
               std::span<const std::uint64_t>>
      keys_;
  std::size_t size_;
};

// A range of a source: what one thread or one round takes of it.
struct HashRange {
  const HashSource* source;
  std::size_t begin;
  std::size_t end;

  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }

  // The i-th of `count` nearly equal ranges. Each starts a multiple of 64 hashes after this one.
  [[nodiscard]] HashRange part(std::size_t i, std::size_t count) const noexcept {
    const std::size_t words = (size() + 63) / 64;
    const auto at = [&](std::size_t n) {
      const std::size_t offset = words * n / count * 64;
      return offset < size() ? begin + offset : end;
    };
    return {source, at(i), at(i + 1)};
  }

  // Calls work(hashes, number of the first) for up to kHashBatch hashes at a time, or once for
  // ready ones.
  template <typename Work>
  void each_batch(const Work& work) const {
    if (const auto* ready = source->ready()) return work(ready->subspan(begin, size()), begin);
    std::array<KeyHash, kHashBatch> buffer;
    for (std::size_t first = begin; first < end; first += kHashBatch) {
      const std::size_t left = end - first;
      work(source->get(first, left < kHashBatch ? left : kHashBatch, buffer.data()), first);
    }
  }
};

[[nodiscard]] inline HashRange all_of(const HashSource& source) noexcept {
  return {&source, 0, source.size()};
}

}  // namespace bloomery
