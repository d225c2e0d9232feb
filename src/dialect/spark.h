// Apache Spark: org.apache.spark.util.sketch.BloomFilter, versions 1 and 2.
//
// Two hashes of a key, the second with the first as its seed, are added up to positions: in 32 bits
// in version 1, so that it reaches 2^31 bits only, in 64 in version 2, which is what Spark writes
// since 4.1. A long is hashed like its 8 bytes, little-endian, a string like its UTF-8.
#pragma once

#include <cstdint>
#include <string_view>

#include "dialect/rules.h"

namespace bloomery {

// MurmurHash3 of 32 bits with Spark's tail: every byte left over is a signed block of its own.
[[nodiscard]] std::uint32_t spark_murmur3(std::string_view key, std::uint32_t seed) noexcept;

extern const DialectRules kSparkRules;
extern const DialectRules kSparkV1Rules;

}  // namespace bloomery
