// The four words of SipHash-1-3.
//
// Always inlined and without other headers, because kernels compiled for wider instructions use it
// too (kernels/number_hashes.h).
#pragma once

#include <cstdint>

#include "bloomery/number_hash.h"

namespace bloomery {

class SipState {
 public:
  // The constants spell "somepseudorandomlygeneratedbytes".
  [[gnu::always_inline]] SipState(std::uint64_t secret_low, std::uint64_t secret_high) noexcept
      : v0_(secret_low ^ 0x736f6d6570736575),
        v1_(secret_high ^ 0x646f72616e646f6d),
        v2_(secret_low ^ 0x6c7967656e657261),
        v3_(secret_high ^ 0x7465646279746573) {}

  [[gnu::always_inline]] void absorb(std::uint64_t word) noexcept {
    v3_ ^= word;
    round();
    v0_ ^= word;
  }

  [[nodiscard, gnu::always_inline]] std::uint64_t finish() noexcept {
    v2_ ^= 0xff;
    round();
    round();
    round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  [[gnu::always_inline]] void round() noexcept {
    using detail::rotated;
    v0_ += v1_;
    v2_ += v3_;
    v1_ = rotated(v1_, 13) ^ v0_;
    v3_ = rotated(v3_, 16) ^ v2_;
    v0_ = rotated(v0_, 32);
    v2_ += v1_;
    v0_ += v3_;
    v1_ = rotated(v1_, 17) ^ v2_;
    v3_ = rotated(v3_, 21) ^ v0_;
    v2_ = rotated(v2_, 32);
  }

  std::uint64_t v0_;
  std::uint64_t v1_;
  std::uint64_t v2_;
  std::uint64_t v3_;
};

}  // namespace bloomery
