// The instructions that do the work. All kernels set the same bits and give the same answers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bloomery/result.h"

namespace bloomery {

enum class Kernel : std::uint8_t { kScalar, kAvx2, kAvx512 };

[[nodiscard]] std::string_view to_string(Kernel kernel) noexcept;

// What this machine can run, slowest first.
[[nodiscard]] std::vector<Kernel> available_kernels();

// The one in use: the fastest this machine can run, unless another was forced.
[[nodiscard]] Kernel active_kernel() noexcept;

// For tests and measurements: makes the whole process use `kernel`. Fails when the machine cannot
// run it. Call it before other threads use filters; filters made before may go on with the old one.
Result<void> force_kernel(Kernel kernel);

}  // namespace bloomery
