// What other libraries do with the same keys and the same hash (XXH3-64, seed 0).
//
// Peers live in a shared library of their own, built with the flags that are best for them, so that
// no inline function of theirs ends up in ours or ours in theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace bloomery::bench {

// A filter or a set: keys go in, questions are counted.
template <typename Key>
class Peer {
 public:
  Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  virtual ~Peer() = default;

  virtual void insert(std::span<const Key> keys) = 0;
  // How many of `keys` it (maybe) holds, by its fastest call for many keys.
  [[nodiscard]] virtual std::uint64_t count(std::span<const Key> keys) const = 0;
  // The same, one call a key.
  [[nodiscard]] virtual std::uint64_t count_singly(std::span<const Key> keys) const = 0;
  // What it holds in memory now.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

enum class PeerId : std::uint8_t {
  kBoostMultiblock64,      // boost::bloom::filter<Key, 1, fast_multiblock64<8>>
  kBoostMultiblock64Huge,  // the same with an allocator that asks for huge pages
  kBoostMultiblock32,      // boost::bloom::filter<Key, 1, fast_multiblock32<8>>
  kBoostClassic,           // boost::bloom::filter<Key, 7>
  kStdSet,                 // std::unordered_set
  kFlatSet,                // boost::unordered_flat_set
};

[[nodiscard]] std::string_view to_string(PeerId id) noexcept;

// Null when this program was built without that peer. Sets take no notice of `fpr`, and start
// empty: a set is not told how many keys will come. Strings in a set are views of the caller's
// bytes.
template <typename Key>
[[nodiscard]] std::unique_ptr<Peer<Key>> make_peer(PeerId id, std::uint64_t keys, double fpr);

// The flags the peers were built with.
[[nodiscard]] std::string_view peer_flags() noexcept;

}  // namespace bloomery::bench
