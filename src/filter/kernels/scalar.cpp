// Plain C++: runs everywhere, and says what the other kernels must do.
#include "filter/kernels/blocked_loops.h"

namespace bloomery {
namespace {

std::uint64_t bit(std::uint64_t source, unsigned word) {
  return std::uint64_t{1} << ((source >> (kMaskShift + kMaskStep * word)) & 63U);
}

struct Mask8 {
  static void set(std::uint64_t* block, KeyHash hash) {
    const std::uint64_t source = first_mask_source(hash);
    for (unsigned i = 0; i < kBlockWords; ++i) block[i] |= bit(source, i);
  }
  static bool test(const std::uint64_t* block, KeyHash hash) {
    const std::uint64_t source = first_mask_source(hash);
    std::uint64_t missing = 0;
    for (unsigned i = 0; i < kBlockWords; ++i) missing |= ~block[i] & bit(source, i);
    return missing == 0;
  }
};

struct Mask16 {
  static void set(std::uint64_t* block, KeyHash hash) {
    const std::uint64_t first = first_mask_source(hash);
    const std::uint64_t second = second_mask_source(hash);
    for (unsigned i = 0; i < kBlockWords; ++i) block[i] |= bit(first, i) | bit(second, i);
  }
  static bool test(const std::uint64_t* block, KeyHash hash) {
    const std::uint64_t first = first_mask_source(hash);
    const std::uint64_t second = second_mask_source(hash);
    std::uint64_t missing = 0;
    for (unsigned i = 0; i < kBlockWords; ++i) {
      missing |= ~block[i] & (bit(first, i) | bit(second, i));
    }
    return missing == 0;
  }
};

}  // namespace

const KernelTable kScalarKernels{blocked_kernel<Mask8>(), blocked_kernel<Mask16>(), &count_bits};

}  // namespace bloomery
