#include "bloomery/kernel.h"
#include "filter/kernels/kernels.h"

namespace bloomery {

const KernelTable& active_kernels() noexcept {
  switch (active_kernel()) {
    case Kernel::kScalar:
      break;
    case Kernel::kAvx2:
      return kAvx2Kernels;
    case Kernel::kAvx512:
      return kAvx512Kernels;
  }
  return kScalarKernels;
}

}  // namespace bloomery
