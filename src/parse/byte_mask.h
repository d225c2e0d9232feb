// Which of 64 bytes are equal to one: a bit for each, the first byte lowest.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bloomery {

inline constexpr std::size_t kMaskBytes = 64;

#if defined(__SSE2__)

// 64 bytes in registers, to be compared more than once. Written out, because compilers do not
// unroll such loops at -O2.
class ByteBlock {
 public:
  explicit ByteBlock(const char* bytes) noexcept
      : a_(load(bytes)), b_(load(bytes + 16)), c_(load(bytes + 32)), d_(load(bytes + 48)) {}

  [[nodiscard]] std::uint64_t equal_to(char byte) const noexcept {
    const __m128i wanted = _mm_set1_epi8(byte);
    return mask(a_, wanted) | (mask(b_, wanted) << 16U) | (mask(c_, wanted) << 32U) |
           (mask(d_, wanted) << 48U);
  }

 private:
  static __m128i load(const char* bytes) noexcept {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  }
  static std::uint64_t mask(__m128i bytes, __m128i wanted) noexcept {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)));
  }

  __m128i a_;
  __m128i b_;
  __m128i c_;
  __m128i d_;
};

#else

class ByteBlock {
 public:
  explicit ByteBlock(const char* bytes) noexcept : bytes_(bytes) {}

  [[nodiscard]] std::uint64_t equal_to(char byte) const noexcept {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < kMaskBytes; ++i) {
      mask |= static_cast<std::uint64_t>(bytes_[i] == byte) << i;
    }
    return mask;
  }

 private:
  const char* bytes_;
};

#endif

// Bit i is the parity of bits 0 to i. Products, because bits go over the top on purpose and the
// sanitisers take a shift that does so for a mistake.
[[nodiscard]] inline std::uint64_t prefix_xor(std::uint64_t bits) noexcept {
  bits ^= bits * 2U;
  bits ^= bits * 4U;
  bits ^= bits * 16U;
  bits ^= bits * 256U;
  bits ^= bits * 65536U;
  bits ^= bits * (std::uint64_t{1} << 32U);
  return bits;
}

}  // namespace bloomery
