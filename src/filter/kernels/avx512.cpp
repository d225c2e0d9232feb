// A whole block at a time. Compiled with -mavx512f -mbmi2 -mpopcnt.
#include <immintrin.h>

#include "filter/kernels/blocked_loops.h"

namespace bloomery {
namespace {

// A rotation takes its count modulo 64, so the six bits need not be cut out of the source first.
// The masked forms with all lanes on are the plain instructions; g++ 12 takes the plain forms for a
// read of something uninitialised (GCC bug 105593, fixed in 13).
__m512i spread(std::uint64_t source) {
  constexpr auto kShift = [](unsigned word) -> long long {
    const unsigned bits = kMaskShift + kMaskStep * word;
    return bits;
  };
  const __m512i shifts = _mm512_setr_epi64(kShift(0), kShift(1), kShift(2), kShift(3), kShift(4),
                                           kShift(5), kShift(6), kShift(7));
  const __m512i numbers =
      _mm512_maskz_srlv_epi64(0xFF, _mm512_set1_epi64(static_cast<long long>(source)), shifts);
  return _mm512_maskz_rolv_epi64(0xFF, _mm512_set1_epi64(1), numbers);
}

struct Mask8 {
  static void set(std::uint64_t* block, KeyHash hash) {
    _mm512_store_si512(block,
                       _mm512_or_si512(_mm512_load_si512(block), spread(first_mask_source(hash))));
  }
  static bool test(const std::uint64_t* block, KeyHash hash) {
    return _mm512_testn_epi64_mask(_mm512_load_si512(block), spread(first_mask_source(hash))) == 0;
  }
};

struct Mask16 {
  static void set(std::uint64_t* block, KeyHash hash) {
    const __m512i masks =
        _mm512_or_si512(spread(first_mask_source(hash)), spread(second_mask_source(hash)));
    _mm512_store_si512(block, _mm512_or_si512(_mm512_load_si512(block), masks));
  }
  static bool test(const std::uint64_t* block, KeyHash hash) {
    const __m512i words = _mm512_load_si512(block);
    return (_mm512_testn_epi64_mask(words, spread(first_mask_source(hash))) |
            _mm512_testn_epi64_mask(words, spread(second_mask_source(hash)))) == 0;
  }
};

}  // namespace

const KernelTable kAvx512Kernels{blocked_kernel<Mask8>(), blocked_kernel<Mask16>(), &count_bits};

}  // namespace bloomery
