#include "base/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/endian.h"

namespace bloomery {

std::uint64_t checksum64(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

Digest digest128(std::initializer_list<std::span<const std::byte>> parts) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (const auto part : parts) XXH3_128bits_update(&state, part.data(), part.size());
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  Digest digest{};
  store_le(digest.data(), hash.low64);
  store_le(digest.data() + 8, hash.high64);
  return digest;
}

}  // namespace bloomery
