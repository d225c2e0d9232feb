// The classic kind, with one hash a key or with a list of seeds.
#include "fuzz/filter_operations.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomery;
  fuzz::Input input(data, size);
  FilterSpec spec;
  spec.kind = Kind::kClassic;
  spec.planned_keys = 1;
  spec.bits = 1 + input.number(400);
  // Many hashes take much time, and differ from a few only where they are too many for a batch.
  const bool has_many = input.number(16) == 15;
  spec.hashes = static_cast<std::uint32_t>(1 + input.number(has_many ? kMaxHashes : 12));
  if (input.number(3) == 0) {
    const HashId id = input.number(2) == 0 ? HashId::kXxh3 : HashId::kMurmur3;
    spec.hasher = Hasher::create(id, 0).value();
    // No two alike.
    for (std::uint32_t i = 0; i < spec.hashes; ++i) {
      spec.seeds.push_back(256 * std::uint64_t{i} + input.number(256));
    }
  } else {
    spec.hasher = fuzz::any_hasher(input);
  }
  return fuzz::run_operations(input, spec);
}
