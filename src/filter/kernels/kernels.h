// The loops that do the work, once for each instruction set, and the table that picks one.
//
// The kernel files are compiled with wider instructions than the rest of the library. So that none
// of those leaks into code that must run everywhere, they include nothing that defines functions
// with external linkage: only this header, probe.h, blocked_loops.h, positions.h and the compiler's
// intrinsics.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bloomery/probe.h"

namespace bloomery {

struct BlockedLoops {
  void (*insert)(std::uint64_t* words, std::uint64_t blocks, const KeyHash* hashes, std::size_t n);
  // Writes (n + 63) / 64 whole words of answers.
  void (*query)(const std::uint64_t* words, std::uint64_t blocks, const KeyHash* hashes,
                std::size_t n, std::uint64_t* answers);
};

struct BlockedKernel {
  BlockedLoops near;  // for blocks that are in cache
  BlockedLoops far;   // for blocks in memory: prefetches
  bool (*query_one)(const Probe& probe, KeyHash hash) noexcept;
  // Asks for the lines of eight hashes, and answers for eight whose lines were asked for earlier.
  // Bit i is the answer for hash i.
  std::uint64_t (*query_eight)(const std::uint64_t* words, std::uint64_t blocks,
                               const KeyHash* ahead, const KeyHash* hashes);
};

// Tables up to this size are taken to be in the second-level cache.
inline constexpr std::uint64_t kNearBytes = std::uint64_t{256} << 10U;

struct KernelTable {
  BlockedKernel blocked_8;
  BlockedKernel blocked_16;
  std::uint64_t (*popcount)(const std::uint64_t* words, std::size_t n);
};

extern const KernelTable kScalarKernels;
extern const KernelTable kAvx2Kernels;
extern const KernelTable kAvx512Kernels;

// The table in use.
[[nodiscard]] const KernelTable& active_kernels() noexcept;

}  // namespace bloomery
