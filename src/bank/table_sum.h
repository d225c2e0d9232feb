// A number that stands for the bytes of a table, and that pieces of it add up to, however it is
// cut.
//
//   takes   bytes, and where in the table they lie
//   gives   their part of the sum
//
// A writer sees a table in pieces, in any order and on any thread, and later reads it back in other
// pieces: both sums are equal, or something was lost or changed on the way. Zeros add nothing, so
// what was never written need not be counted. It finds accidents; it is no protection against an
// enemy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery {

[[nodiscard]] std::uint64_t table_sum(std::uint64_t offset,
                                      std::span<const std::byte> bytes) noexcept;

}  // namespace bloomery
