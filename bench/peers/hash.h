// The library's default hash, inlined into the peers: they get the same hash in its fastest form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#define XXH_INLINE_ALL  // NOLINT: the way xxHash is told to be a header
#include <xxhash.h>

namespace bloomery::bench {
namespace {  // NOLINT: every peer file has a copy, compiled with its own flags

struct PeerHash {
  using is_avalanching = void;
  using is_transparent = void;

  std::size_t operator()(std::uint64_t key) const noexcept { return XXH3_64bits(&key, sizeof key); }
  std::size_t operator()(std::string_view key) const noexcept {
    return XXH3_64bits(key.data(), key.size());
  }
};

}  // namespace
}  // namespace bloomery::bench
