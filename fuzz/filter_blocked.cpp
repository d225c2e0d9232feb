// The blocked kind with 8 and 16 hashes.
#include "fuzz/filter_operations.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomery;
  fuzz::Input input(data, size);
  FilterSpec spec;
  spec.kind = Kind::kBlocked;
  spec.planned_keys = 1;
  spec.bits = (1 + input.number(5)) * kBlockBits;
  spec.hashes = input.number(2) == 0 ? 8 : 16;
  spec.hasher = fuzz::any_hasher(input);
  return fuzz::run_operations(input, spec);
}
