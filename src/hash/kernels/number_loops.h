// The loops over numbers, the same for every instruction set.
//
// Everything is in an unnamed namespace on purpose: see number_hashes.h.
// NOLINTBEGIN(misc-definitions-in-headers)
#pragma once

#include "bloomery/number_hash.h"
#include "hash/kernels/number_hashes.h"
#include "hash/sip_state.h"

namespace bloomery {
namespace {

void hash_xxh3(const std::uint64_t* numbers, std::size_t n, std::uint64_t number_secret,
               KeyHash* hashes) {
  for (std::size_t i = 0; i < n; ++i) {
    hashes[i] = KeyHash{detail::xxh3_number(numbers[i], number_secret)};
  }
}

void hash_sip(const std::uint64_t* numbers, std::size_t n,
              const std::array<std::uint64_t, 2>& secret, KeyHash* hashes) {
  const SipState start(secret[0], secret[1]);
  for (std::size_t i = 0; i < n; ++i) {
    SipState state = start;
    state.absorb(numbers[i]);
    state.absorb(std::uint64_t{sizeof(std::uint64_t)} << 56U);
    hashes[i] = KeyHash{state.finish()};
  }
}

constexpr NumberHashes kNumberHashes{&hash_xxh3, &hash_sip};

}  // namespace
}  // namespace bloomery
// NOLINTEND(misc-definitions-in-headers)
