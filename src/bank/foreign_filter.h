// Recognises the Bloom filters of other systems by their headers.
//
// Few of them have a magic, so a header counts only when the length it gives is the file's. That
// can still be chance in a file of a few bytes; the answer is for a message, not for a reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bloomery {

// "a Hadoop BloomFilter", or nothing. `start`: the first bytes of a file of `size` bytes.
[[nodiscard]] std::string_view foreign_filter(std::span<const std::byte> start,
                                              std::uint64_t size) noexcept;

}  // namespace bloomery
