// How many distinct keys a group has, nearly: HyperLogLog registers.
//
//   takes   key hashes
//   gives   an estimate for --distinct
//
// 2^14 registers give 0.8 % standard error. Registers merge by maximum, so any number of tasks on
// any engine, in any order, comes to the same number. While few are in use they are kept as a list,
// because there may be a hundred thousand groups.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/hash.h"

namespace bloomery {

class DistinctCounter {
 public:
  void insert(KeyHash hash);
  void merge(const DistinctCounter& other);

  // To bytes and back, for tasks on other machines. Nothing for bytes that are no counter.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static std::optional<DistinctCounter> from_bytes(std::string_view bytes);

  // At least 1 when anything was inserted.
  [[nodiscard]] std::uint64_t estimate() const;

  // Of memory: none at first, 16 KiB to 32 KiB in the end.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return listed_.capacity() * sizeof listed_[0] + registers_.capacity();
  }

  friend bool operator==(const DistinctCounter& a, const DistinctCounter& b);

 private:
  static constexpr unsigned kIndexBits = 14;
  static constexpr std::size_t kRegisters = std::size_t{1} << kIndexBits;
  static constexpr unsigned kMaxRank = 64 - kIndexBits + 1;
  static constexpr std::size_t kMaxListed = 2048;

  void raise(std::uint32_t index, std::uint8_t rank);
  void compact();
  void spread();
  template <typename Visit>
  void each_register(const Visit& visit) const;

  std::vector<std::uint32_t> listed_;    // index * 64 + rank; may hold an index more than once
  std::vector<std::uint8_t> registers_;  // empty while listed_ is in use
};

}  // namespace bloomery
