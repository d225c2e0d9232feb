// Picks the kernel once, by what the processor and the operating system can do. Hashes and filters
// have a table of functions for each kernel, and look up theirs by active_kernel().
#include "bloomery/kernel.h"

#include <atomic>

#include "base/error.h"
#include "base/name_table.h"

namespace bloomery {
namespace {

constexpr NameTable<Kernel, 3> kKernelNames{
    {{{Kernel::kScalar, "scalar"}, {Kernel::kAvx2, "avx2"}, {Kernel::kAvx512, "avx512"}}}};

#if defined(__x86_64__)
bool can_run(Kernel kernel) noexcept {
  __builtin_cpu_init();
  // An int for one compiler and a bool for the other.
  const bool has_avx2 = static_cast<bool>(__builtin_cpu_supports("avx2")) &&
                        static_cast<bool>(__builtin_cpu_supports("bmi2")) &&
                        static_cast<bool>(__builtin_cpu_supports("popcnt"));
  switch (kernel) {
    case Kernel::kScalar:
      return true;
    case Kernel::kAvx2:
      return has_avx2;
    case Kernel::kAvx512:
      return has_avx2 && static_cast<bool>(__builtin_cpu_supports("avx512f")) &&
             static_cast<bool>(__builtin_cpu_supports("avx512dq"));
  }
  return false;
}
#else
bool can_run(Kernel kernel) noexcept {
  return kernel == Kernel::kScalar;
}
#endif

Kernel fastest() noexcept {
  if (can_run(Kernel::kAvx512)) return Kernel::kAvx512;
  return can_run(Kernel::kAvx2) ? Kernel::kAvx2 : Kernel::kScalar;
}

// No kernel until the first use. Two threads that meet here write the same value.
constexpr Kernel kUndecided{255};
std::atomic<Kernel> active{kUndecided};

}  // namespace

std::string_view to_string(Kernel kernel) noexcept {
  return kKernelNames.name(kernel);
}

std::vector<Kernel> available_kernels() {
  std::vector<Kernel> kernels;
  for (const auto& row : kKernelNames.rows) {
    if (can_run(row.first)) kernels.push_back(row.first);
  }
  return kernels;
}

Kernel active_kernel() noexcept {
  Kernel kernel = active.load(std::memory_order_relaxed);
  if (kernel == kUndecided) {
    kernel = fastest();
    active.store(kernel, std::memory_order_relaxed);
  }
  return kernel;
}

Result<void> force_kernel(Kernel kernel) {
  if (!can_run(kernel)) {
    return make_error(ErrorCode::kUnsupported, "kernel {}: this processor cannot run it",
                      to_string(kernel));
  }
  active.store(kernel, std::memory_order_relaxed);
  return {};
}

}  // namespace bloomery
