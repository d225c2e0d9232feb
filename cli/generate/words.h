// Words that can be pronounced, all different, of one length.
//
//   takes   a length and a seed
//   gives   word after word, in no memory, the same on every machine
#pragma once

#include <cstddef>
#include <cstdint>

#include "bloomery/result.h"
#include "cli/generate/permutation.h"

namespace bloomery::cli {

class Words {
 public:
  static constexpr std::size_t kMaxLength = 1000;

  // Fails when there are not `count` different words of `length` letters.
  static Result<Words> create(std::uint64_t count, std::size_t length, std::uint64_t seed);

  // Writes word `i` at `to`, which has room for `length` + 1 bytes, and returns its end.
  [[nodiscard]] char* write(std::uint64_t i, char* to) const noexcept;

 private:
  Words(std::uint64_t choices, std::size_t length, std::uint64_t seed) noexcept
      : order_(choices, seed), length_(length) {}

  Permutation order_;
  std::size_t length_;
};

}  // namespace bloomery::cli
