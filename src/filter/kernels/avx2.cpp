// Four words at a time. Compiled with -mavx2 -mbmi2 -mpopcnt.
#include <immintrin.h>

#include "filter/kernels/blocked_loops.h"

namespace bloomery {
namespace {

// The masks of a block: words 0 to 3, and words 4 to 7.
struct Masks {
  __m256i low;
  __m256i high;
};

__m256i spread(std::uint64_t source, unsigned first_word) {
  const auto shift = [first_word](unsigned i) -> long long {
    const unsigned bits = kMaskShift + kMaskStep * (first_word + i);
    return bits;
  };
  const __m256i shifts = _mm256_setr_epi64x(shift(0), shift(1), shift(2), shift(3));
  const __m256i numbers = _mm256_and_si256(
      _mm256_srlv_epi64(_mm256_set1_epi64x(static_cast<long long>(source)), shifts),
      _mm256_set1_epi64x(63));
  return _mm256_sllv_epi64(_mm256_set1_epi64x(1), numbers);
}

struct Masks8 {
  static Masks of(KeyHash hash) {
    const std::uint64_t source = first_mask_source(hash);
    return {spread(source, 0), spread(source, 4)};
  }
};

struct Masks16 {
  static Masks of(KeyHash hash) {
    const std::uint64_t first = first_mask_source(hash);
    const std::uint64_t second = second_mask_source(hash);
    return {_mm256_or_si256(spread(first, 0), spread(second, 0)),
            _mm256_or_si256(spread(first, 4), spread(second, 4))};
  }
};

template <typename MasksOf>
struct Mask {
  static void set(std::uint64_t* block, KeyHash hash) {
    const Masks masks = MasksOf::of(hash);
    auto* halves = reinterpret_cast<__m256i*>(block);
    _mm256_store_si256(halves, _mm256_or_si256(_mm256_load_si256(halves), masks.low));
    _mm256_store_si256(halves + 1, _mm256_or_si256(_mm256_load_si256(halves + 1), masks.high));
  }
  static bool test(const std::uint64_t* block, KeyHash hash) {
    const Masks masks = MasksOf::of(hash);
    const auto* halves = reinterpret_cast<const __m256i*>(block);
    const __m256i missing =
        _mm256_or_si256(_mm256_andnot_si256(_mm256_load_si256(halves), masks.low),
                        _mm256_andnot_si256(_mm256_load_si256(halves + 1), masks.high));
    return _mm256_testz_si256(missing, missing) != 0;
  }
};

}  // namespace

const KernelTable kAvx2Kernels{blocked_kernel<Mask<Masks8>>(), blocked_kernel<Mask<Masks16>>(),
                               &count_bits};

}  // namespace bloomery
