// The loops that do the work, once for each instruction set, and the table that picks one.
//
// The kernel files are compiled with wider instructions than the rest of the library. So that none
// of those leaks into code that must run everywhere, they include nothing that defines functions
// with external linkage: only this header, blocked_loops.h, positions.h and the compiler's
// intrinsics.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bloomery {

enum class KeyHash : std::uint64_t;

struct BlockedKernel {
  void (*insert)(std::uint64_t* words, std::uint64_t blocks, const KeyHash* hashes, std::size_t n);
  // Writes (n + 63) / 64 whole words of answers.
  void (*query)(const std::uint64_t* words, std::uint64_t blocks, const KeyHash* hashes,
                std::size_t n, std::uint64_t* answers);
  bool (*query_one)(const std::uint64_t* words, std::uint64_t blocks, KeyHash hash);
};

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
