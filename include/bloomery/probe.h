// What one question to one filter needs, and nothing else: no library headers, because the kernels
// include it too (src/filter/kernels/kernels.h says why).
#pragma once

#include <cstdint>

namespace bloomery {

enum class KeyHash : std::uint64_t;

// Asking goes through one pointer to code that is right for the kind, the machine and k. The fewer
// instructions between two questions, the more lines the processor fetches at once (bench/, "one by
// one"), so this is a plain struct and the call is inlined to a single jump.
struct Probe {
  bool (*query_one)(const Probe& probe, KeyHash hash) noexcept = nullptr;
  const std::uint64_t* words = nullptr;
  std::uint64_t size = 0;    // blocks of the blocked kind; bits or counters of the others
  std::uint32_t hashes = 0;  // k
};

}  // namespace bloomery
