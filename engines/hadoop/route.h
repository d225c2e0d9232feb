// Which reducer a record goes to: chosen by us, not by chance.
//
// Hadoop's default partitioner takes a hash of the key modulo the number of reducers. Two bytes at
// the end of every key are chosen so that this comes out as wanted; they change nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::hadoop {

// More reducers than this cannot all be reached by two bytes.
inline constexpr std::uint32_t kMaxReducers = 4096;
inline constexpr std::size_t kSaltBytes = 2;

// What HashPartitioner does with a BytesWritable.
[[nodiscard]] std::uint32_t partition_of(std::string_view key, std::uint32_t reducers) noexcept;

// Appends the two bytes that make partition_of() give `reducer`. Requires reducer < reducers <=
// kMaxReducers.
void append_salt(std::string& key, std::uint32_t reducer, std::uint32_t reducers);

}  // namespace bloomery::hadoop
