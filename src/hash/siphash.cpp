#include "hash/siphash.h"

#include <cstddef>

#include "base/endian.h"
#include "hash/sip_state.h"
#include "hash/tail.h"

namespace bloomery {
std::uint64_t siphash_1_3(std::string_view key,
                          const std::array<std::uint64_t, 2>& secret) noexcept {
  SipState state(secret[0], secret[1]);
  const std::size_t tail = key.size() % 8;
  const char* const words_end = key.data() + (key.size() - tail);
  for (const char* word = key.data(); word != words_end; word += 8) {
    state.absorb(load_le<std::uint64_t>(word));
  }
  // The last word: the bytes left over, zeros, and the length's low byte on top.
  const std::uint64_t last = load_tail(words_end, tail);
  state.absorb(last | (std::uint64_t{key.size() % 256} << 56U));
  return state.finish();
}

}  // namespace bloomery
