#include "hash/key_id.h"

#include "hash/xxh3.h"

namespace bloomery {
namespace {

// SHA-256 of "bloomery/key id", first eight bytes: many bits set, and nobody's seed by accident.
constexpr std::uint64_t kKeyIdSeed = 0x8e8f156c30d23488ULL;

}  // namespace

[[gnu::flatten]] KeyId key_id(std::string_view key) noexcept {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(key.data(), key.size(), kKeyIdSeed);
  return {hash.high64, hash.low64};
}

}  // namespace bloomery
