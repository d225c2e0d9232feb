// Exact sets: what a filter is measured against when memory is no matter.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "peers/peer.h"

namespace bloomery::bench {

// An allocator that knows how many bytes it has given out, as malloc was asked for them.
template <typename T>
struct CountingAllocator {
  using value_type = T;

  explicit CountingAllocator(std::size_t* total) noexcept : bytes(total) {}
  template <typename U>
  CountingAllocator(const CountingAllocator<U>& other) noexcept  // NOLINT(*-explicit-*)
      : bytes(other.bytes) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    *bytes += count * sizeof(T);
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* data, std::size_t count) noexcept {
    *bytes -= count * sizeof(T);
    std::allocator<T>().deallocate(data, count);
  }

  template <typename U>
  friend bool operator==(const CountingAllocator& a, const CountingAllocator<U>& b) noexcept {
    return a.bytes == b.bytes;
  }

  std::size_t* bytes;
};

// A set with that allocator, asked one key at a time: neither has another call.
template <typename Key, typename Set>
class PeerSet final : public Peer<Key> {
 public:
  PeerSet() : set_(typename Set::allocator_type(&bytes_)) {}

  void insert(std::span<const Key> keys) override {
    for (const Key& key : keys) set_.insert(key);
  }
  [[nodiscard]] std::uint64_t count(std::span<const Key> keys) const override {
    return count_singly(keys);
  }
  [[nodiscard]] std::uint64_t count_singly(std::span<const Key> keys) const override {
    std::uint64_t found = 0;
    for (const Key& key : keys) found += set_.contains(key) ? 1U : 0U;
    return found;
  }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }

 private:
  std::size_t bytes_ = 0;  // before the set, which uses it to the end
  Set set_;
};

template <typename Key>
[[nodiscard]] std::unique_ptr<Peer<Key>> make_std_set();
template <typename Key>
[[nodiscard]] std::unique_ptr<Peer<Key>> make_flat_set();

}  // namespace bloomery::bench
