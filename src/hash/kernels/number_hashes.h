// Hashes of many numbers at once, for each instruction set.
//
// The kernel files hold one plain loop, compiled with wider instructions than the rest of the
// library; the compiler makes vectors of it. So that none of those instructions leaks into code
// that must run everywhere, they include nothing that defines functions with external linkage, but
// for some that are always inlined.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bloomery {

enum class KeyHash : std::uint64_t;

struct NumberHashes {
  void (*xxh3)(const std::uint64_t* numbers, std::size_t n, std::uint64_t number_secret,
               KeyHash* hashes);
  void (*sip)(const std::uint64_t* numbers, std::size_t n,
              const std::array<std::uint64_t, 2>& secret, KeyHash* hashes);
};

extern const NumberHashes kScalarNumberHashes;
extern const NumberHashes kAvx2NumberHashes;
extern const NumberHashes kAvx512NumberHashes;

}  // namespace bloomery
