// Whose rules a filter follows: hash, positions, sizes and container.
//
// A filter of another system's dialect has the bits that this system would have set, so it can be
// handed over in that system's own container, and the system's filters can be asked here. It cannot
// change its dialect afterwards. docs/dialects.md says what each of them is and cannot do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace bloomery {

// The numbers are format: docs/format.md, "Dialects".
enum class Dialect : std::uint16_t {
  kBloomery = 1,
  kHadoop = 2,      // org.apache.hadoop.util.bloom.BloomFilter
  kPisaJava = 3,    // JSON lines of the course project's Hadoop program
  kSpark = 4,       // org.apache.spark.util.sketch.BloomFilter, version 2
  kSparkV1 = 5,     // the same, version 1
  kPisaPython = 6,  // JSON lines of the course project's Spark program
};

// "bloomery", "hadoop", "pisa-java", "spark", "spark-v1", "pisa-python".
[[nodiscard]] std::string_view to_string(Dialect dialect) noexcept;
[[nodiscard]] std::optional<Dialect> dialect_from_string(std::string_view name) noexcept;

// All of them, bloomery first.
[[nodiscard]] std::span<const Dialect> all_dialects() noexcept;

}  // namespace bloomery
