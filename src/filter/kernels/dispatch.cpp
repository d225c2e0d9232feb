// Picks the kernel once, by what the processor and the operating system can do.
#include <atomic>

#include "base/error.h"
#include "base/name_table.h"
#include "bloomery/kernel.h"
#include "filter/kernels/kernels.h"

namespace bloomery {
namespace {

constexpr NameTable<Kernel, 3> kKernelNames{
    {{{Kernel::kScalar, "scalar"}, {Kernel::kAvx2, "avx2"}, {Kernel::kAvx512, "avx512"}}}};

bool can_run(Kernel kernel) noexcept {
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 &&
                        __builtin_cpu_supports("bmi2") != 0 &&
                        __builtin_cpu_supports("popcnt") != 0;
  switch (kernel) {
    case Kernel::kScalar:
      return true;
    case Kernel::kAvx2:
      return has_avx2;
    case Kernel::kAvx512:
      return has_avx2 && __builtin_cpu_supports("avx512f") != 0;
  }
  return false;
}

const KernelTable* table_of(Kernel kernel) noexcept {
  switch (kernel) {
    case Kernel::kScalar:
      return &kScalarKernels;
    case Kernel::kAvx2:
      return &kAvx2Kernels;
    case Kernel::kAvx512:
      return &kAvx512Kernels;
  }
  return &kScalarKernels;
}

Kernel fastest() noexcept {
  if (can_run(Kernel::kAvx512)) return Kernel::kAvx512;
  return can_run(Kernel::kAvx2) ? Kernel::kAvx2 : Kernel::kScalar;
}

// Null until the first use. Two threads that meet here write the same value.
std::atomic<const KernelTable*> active_table{nullptr};

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

const KernelTable& active_kernels() noexcept {
  const KernelTable* table = active_table.load(std::memory_order_relaxed);
  if (table == nullptr) {
    table = table_of(fastest());
    active_table.store(table, std::memory_order_relaxed);
  }
  return *table;
}

Kernel active_kernel() noexcept {
  const KernelTable* table = &active_kernels();
  for (const auto& row : kKernelNames.rows) {
    if (table_of(row.first) == table) return row.first;
  }
  return Kernel::kScalar;
}

Result<void> force_kernel(Kernel kernel) {
  if (!can_run(kernel)) {
    return make_error(ErrorCode::kUnsupported, "kernel {}: this processor cannot run it",
                      to_string(kernel));
  }
  active_table.store(table_of(kernel), std::memory_order_relaxed);
  return {};
}

}  // namespace bloomery
