// The counting kind, with removals and counters that fill up.
#include "fuzz/filter_operations.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomery;
  fuzz::Input input(data, size);
  FilterSpec spec;
  spec.kind = Kind::kCounting;
  spec.planned_keys = 1;
  spec.bits = 1 + input.number(300);
  spec.hashes = static_cast<std::uint32_t>(1 + input.number(12));
  spec.hasher = fuzz::any_hasher(input);
  return fuzz::run_operations(input, spec);
}
