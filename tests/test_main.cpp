// Runs gtest on the kernel that BLOOMERY_TEST_KERNEL names, or on the one the library picks.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "bloomery/kernel.h"

namespace {

bool force_named_kernel(std::string_view name) {
  for (const auto kernel : bloomery::available_kernels()) {
    if (to_string(kernel) == name) return bloomery::force_kernel(kernel).has_value();
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const char* name = std::getenv("BLOOMERY_TEST_KERNEL");
  if (name != nullptr && !force_named_kernel(name)) {
    std::cerr << "BLOOMERY_TEST_KERNEL=" << name << ": this machine cannot run that kernel\n";
    return 2;
  }
  return RUN_ALL_TESTS();
}
