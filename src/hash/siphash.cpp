#include "hash/siphash.h"

#include <bit>
#include <cstddef>

#include "base/endian.h"
#include "hash/tail.h"

namespace bloomery {
namespace {

class SipState {
 public:
  // The constants spell "somepseudorandomlygeneratedbytes".
  explicit SipState(const std::array<std::uint64_t, 2>& secret) noexcept
      : v0_(secret[0] ^ 0x736f6d6570736575),
        v1_(secret[1] ^ 0x646f72616e646f6d),
        v2_(secret[0] ^ 0x6c7967656e657261),
        v3_(secret[1] ^ 0x7465646279746573) {}

  void absorb(std::uint64_t word) noexcept {
    v3_ ^= word;
    round();
    v0_ ^= word;
  }

  std::uint64_t finish() noexcept {
    v2_ ^= 0xff;
    round();
    round();
    round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  void round() noexcept {
    v0_ += v1_;
    v2_ += v3_;
    v1_ = std::rotl(v1_, 13) ^ v0_;
    v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ = std::rotl(v0_, 32);
    v2_ += v1_;
    v0_ += v3_;
    v1_ = std::rotl(v1_, 17) ^ v2_;
    v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ = std::rotl(v2_, 32);
  }

  std::uint64_t v0_;
  std::uint64_t v1_;
  std::uint64_t v2_;
  std::uint64_t v3_;
};

}  // namespace

std::uint64_t siphash_1_3(std::string_view key,
                          const std::array<std::uint64_t, 2>& secret) noexcept {
  SipState state(secret);
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
