#include "dialect/murmur3_x32.h"

#include "base/endian.h"

namespace bloomery {

std::uint32_t murmur3_x32(std::string_view key, std::uint32_t seed) noexcept {
  std::uint32_t hash = seed;
  const std::size_t tail = key.size() % 4;
  const char* const words_end = key.data() + (key.size() - tail);
  for (const char* at = key.data(); at != words_end; at += 4) {
    hash = murmur3_x32_mix(hash, load_le<std::uint32_t>(at));
  }
  std::uint32_t last = 0;
  for (std::size_t i = tail; i > 0; --i) {
    last = last * 256 + static_cast<std::uint8_t>(words_end[i - 1]);
  }
  return murmur3_x32_finish(hash ^ murmur3_x32_scramble(last), key.size());
}

}  // namespace bloomery
