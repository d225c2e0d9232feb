// What another system lays down about its filters, as plain functions.
//
//   takes   keys, numbers, and bytes of its files
//   gives   positions to filter/, sizes to plan/, and containers to bank/
//
// Each system is one pair of files with one DialectRules in it; the table of them is rules.cpp.
// They know nothing of our filters, so every later folder can use them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/dialect.h"
#include "bloomery/result.h"

namespace bloomery {

// Hashes that live with their dialects. The numbers are those of HashId.
enum class ForeignHash : std::uint8_t {
  kHadoopMurmur = 4,
  kHadoopJenkins = 5,
  kSparkMurmur3 = 6,
  kMurmur3x32 = 7,
};

// 32 bits of them, for a seed of 32 bits.
[[nodiscard]] std::uint32_t hash_of(ForeignHash hash, std::string_view key,
                                    std::uint32_t seed) noexcept;

// A key on its way through its positions.
struct KeyWalk {
  std::string_view key;
  std::uint64_t bits = 0;
  std::uint64_t state = 0;  // what the rule keeps from one position to the next
  std::uint64_t step = 0;
};

struct PositionRule {
  void (*start)(KeyWalk& walk, std::uint32_t seed) noexcept = nullptr;
  // The next position, below walk.bits. As many as are asked for.
  std::uint64_t (*next)(KeyWalk& walk) noexcept = nullptr;
};

struct ForeignSize {
  std::uint64_t bits = 0;
  std::uint32_t hashes = 0;

  friend bool operator==(const ForeignSize&, const ForeignSize&) = default;
};

// One filter of a container, apart from its bits.
struct ContainerEntry {
  std::string group;  // empty where a container gives no name
  ForeignHash hash{};
  std::uint32_t seed = 0;
  std::uint64_t bits = 0;
  std::uint32_t hashes = 0;
  double fpr = 0;                     // 0 where a container does not say
  std::span<const std::byte> body{};  // the bits, as they stand in the file
};

using ByteSink = std::function<Result<void>(std::span<const std::byte>)>;

struct ContainerRules {
  std::string_view what;  // "a Hadoop BloomFilter"
  bool holds_many = false;
  // Whether a file of `size` bytes that begins with `start` says that it is one.
  bool (*recognises)(std::span<const std::byte> start, std::uint64_t size) noexcept = nullptr;
  // Every filter of the file, with every field checked and its body found to be there. Bytes that
  // belong to none are an error. Errors begin "damaged at byte N: " or say what is not supported.
  Result<std::vector<ContainerEntry>> (*read)(std::span<const std::byte> file) = nullptr;
  // The body as a table of LSB-first bytes, which is all zero before. Fails for bits past the last.
  Result<void> (*decode)(const ContainerEntry& entry, std::span<std::byte> table) = nullptr;
  // Appends one filter; `table` is the one that decode() gives.
  Result<void> (*write)(const ContainerEntry& entry, std::span<const std::byte> table,
                        const ByteSink& sink) = nullptr;
};

struct DialectRules {
  Dialect id{};
  std::string_view name;
  std::string_view system;              // "Hadoop's BloomFilter"
  std::span<const ForeignHash> hashes;  // the first is the one to take
  std::uint64_t max_bits = 0;           // that the other system can hold
  std::uint64_t max_useful_bits = 0;    // that its positions reach: more are never planned
  std::uint64_t bits_unit = 1;          // bits are a multiple of it
  bool takes_seed = false;              // 32 bits of seed; else it is 0
  PositionRule (*positions)(ForeignHash hash) noexcept = nullptr;
  // Its own formula; null where it has none, which means the textbook's.
  Result<ForeignSize> (*size_for)(std::uint64_t keys, double fpr,
                                  std::optional<std::uint32_t> hashes) = nullptr;
  ContainerRules container;
};

// Null for Dialect::kBloomery, and for a number that is no dialect.
[[nodiscard]] const DialectRules* rules_of(Dialect dialect) noexcept;
[[nodiscard]] std::span<const DialectRules* const> all_rules() noexcept;

// Whether these rules can use that hash.
[[nodiscard]] bool has_hash(const DialectRules& rules, ForeignHash hash) noexcept;

// Fails, naming the limit, for bits that the other system cannot hold.
Result<void> check_limits(const DialectRules& rules, std::uint64_t bits);

}  // namespace bloomery
