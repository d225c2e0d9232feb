// Facts about this program and the machine it runs on.
#pragma once

#include <string>
#include <vector>

namespace bloomery::cli {

// Of the build: "0.1.0", "a1b2c3d", "g++ 12.2.0".
[[nodiscard]] std::string version();
[[nodiscard]] std::string commit();
[[nodiscard]] std::string compiler();

// "avx2, avx512", as kernels see it; and the processor's name.
[[nodiscard]] std::vector<std::string> kernel_names();
[[nodiscard]] std::string processor();
[[nodiscard]] std::string operating_system();

// The path of a program on PATH, or nothing.
[[nodiscard]] std::string find_program(const std::string& name);

}  // namespace bloomery::cli
