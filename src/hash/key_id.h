// 128 bits that stand for a key where it must be told apart from every other key.
//
//   takes   a key
//   gives   an identity to verify/, and the ground for choosing a sample
//
// Filters work with 64 bits, because a collision there is one more false positive. Where keys are
// counted exactly a collision would be a wrong count, so this is XXH3-128: among 10^12 keys the
// chance of a single one is 1.5e-15. Its seed is its own, so it says nothing about where a key lies
// in a filter, whatever the filter's hash. The price: keys chosen by an enemy can collide.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace bloomery {

struct KeyId {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend auto operator<=>(const KeyId&, const KeyId&) = default;  // NOLINT(*-use-nullptr)
};

// The same on every machine and engine. The bytes are those between tasks: see verify/wire.h.
[[nodiscard]] KeyId key_id(std::string_view key) noexcept;

}  // namespace bloomery
