#include "bloomery/kernel.h"
#include "filter/kernels/kernels.h"

namespace bloomery {

const KernelTable& active_kernels() noexcept {
#if defined(__x86_64__)
  switch (active_kernel()) {
    case Kernel::kScalar:
      break;
    case Kernel::kAvx2:
      return kAvx2Kernels;
    case Kernel::kAvx512:
      return kAvx512Kernels;
  }
#endif
  return kScalarKernels;
}

}  // namespace bloomery
