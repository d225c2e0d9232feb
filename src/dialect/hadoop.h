// Apache Hadoop: org.apache.hadoop.util.bloom.BloomFilter.
//
// The i-th hash is the seed of the next, and the remainder of its absolute value is the position.
// Both hashes of Hadoop's are variants: its Murmur reads the last bytes in reverse and with their
// sign. The classes take sizes from their caller, so there is no formula of theirs.
#pragma once

#include <cstdint>
#include <string_view>

#include "dialect/rules.h"

namespace bloomery {

// MurmurHash 2 of 32 bits with Hadoop's tail.
[[nodiscard]] std::uint32_t hadoop_murmur(std::string_view key, std::uint32_t seed) noexcept;
// Bob Jenkins' lookup3, hashlittle().
[[nodiscard]] std::uint32_t hadoop_jenkins(std::string_view key, std::uint32_t seed) noexcept;

extern const DialectRules kHadoopRules;

}  // namespace bloomery
