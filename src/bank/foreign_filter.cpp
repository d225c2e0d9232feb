#include "bank/foreign_filter.h"

#include <array>

#include "base/endian.h"

namespace bloomery {
namespace {

// A file's start and size, with numbers that read as 0 where the file has ended.
struct Start {
  std::span<const std::byte> bytes;
  std::uint64_t size;

  [[nodiscard]] std::uint8_t u8(std::size_t at) const noexcept {
    return at < bytes.size() ? static_cast<std::uint8_t>(bytes[at]) : std::uint8_t{0};
  }
  [[nodiscard]] std::uint32_t be32(std::size_t at) const noexcept {
    return static_cast<std::uint32_t>(u8(at)) << 24U |
           static_cast<std::uint32_t>(u8(at + 1)) << 16U |
           static_cast<std::uint32_t>(u8(at + 2)) << 8U | u8(at + 3);
  }
  template <typename T>
  [[nodiscard]] T le(std::size_t at) const noexcept {
    return at + sizeof(T) <= bytes.size() ? load_le<T>(bytes.data() + at) : T{};
  }
};

constexpr std::uint32_t kMostHashes = 255;

bool is_hash_count(std::uint64_t k) noexcept {
  return k >= 1 && k <= kMostHashes;
}

// `header` bytes and then `words` words of 8 bytes are the whole file.
bool is_whole(const Start& start, std::uint64_t header, std::uint64_t words) noexcept {
  return words >= 1 && start.size >= header && start.size - header == words * 8;
}

bool is_rate(double rate) noexcept {
  return rate > 0 && rate < 1;
}

bool is_hadoop(const Start& start) noexcept {
  return start.be32(0) == 0xFFFFFFFF && is_hash_count(start.be32(4)) && start.u8(8) <= 1 &&
         start.be32(9) != 0;
}

bool is_spark_1(const Start& start) noexcept {
  return start.be32(0) == 1 && is_hash_count(start.be32(4)) && is_whole(start, 12, start.be32(8));
}

bool is_spark_2(const Start& start) noexcept {
  return start.be32(0) == 2 && is_hash_count(start.be32(4)) && is_whole(start, 16, start.be32(12));
}

bool is_guava(const Start& start) noexcept {
  return start.u8(0) <= 1 && is_hash_count(start.u8(1)) && is_whole(start, 6, start.be32(2));
}

bool is_cassandra(const Start& start) noexcept {
  return is_hash_count(start.be32(0)) && is_whole(start, 8, start.be32(4));
}

bool is_data_sketches(const Start& start) noexcept {
  const bool is_empty = start.u8(0) == 3 && start.size == 24;
  return start.u8(1) == 1 && start.u8(2) == 0x15 &&
         (is_empty || (start.u8(0) == 4 && is_whole(start, 32, start.le<std::uint32_t>(16))));
}

bool is_dcso(const Start& start) noexcept {
  const auto bits = start.le<std::uint64_t>(32);
  const std::uint64_t words = bits / 64 + (bits % 64 != 0 ? 1 : 0);
  // Data of any length may follow the bits.
  return start.u8(0) <= 2 && start.u8(0) >= 1 && is_rate(start.le<double>(16)) &&
         is_hash_count(start.le<std::uint64_t>(24)) && words >= 1 && start.size >= 48 &&
         words <= (start.size - 48) / 8;
}

// The header that a dump begins with: totals, then 53 bytes for each filter of the chain.
bool is_redis(const Start& start) noexcept {
  const auto filters = start.le<std::uint32_t>(8);
  const auto bytes = start.le<std::uint64_t>(20);
  return filters >= 1 && filters <= 1024 && start.le<std::uint32_t>(12) <= 15 &&
         start.size >= 20 + std::uint64_t{53} * filters && bytes >= 1 && bytes <= UINT64_MAX / 8 &&
         start.le<std::uint64_t>(28) == bytes * 8 && is_rate(start.le<double>(44));
}

// Thrift: field 1 as an integer of up to five bytes, then three unions that have one choice each.
bool is_parquet(const Start& start) noexcept {
  if (start.u8(0) != 0x15) return false;
  std::size_t at = 1;
  while (at < 6 && (start.u8(at) & 0x80U) != 0) ++at;
  return start.be32(at + 1) == 0x1C1C0000 && start.be32(at + 5) == 0x1C1C0000;
}

}  // namespace

std::string_view foreign_filter(std::span<const std::byte> start, std::uint64_t size) noexcept {
  struct System {
    std::string_view name;
    bool (*recognises)(const Start&) noexcept;
  };
  constexpr std::array kSystems{
      System{"a Hadoop BloomFilter", is_hadoop},
      System{"a Spark BloomFilter", is_spark_1},
      System{"a Spark BloomFilter", is_spark_2},
      System{"a DataSketches Bloom filter", is_data_sketches},
      System{"a Parquet Bloom filter", is_parquet},
      System{"a filter of the DCSO bloom tool", is_dcso},
      System{"a RedisBloom dump", is_redis},
      System{"a Cassandra Filter.db", is_cassandra},
      System{"a Guava BloomFilter", is_guava},
  };
  const Start file{start, size};
  for (const System& system : kSystems) {
    if (system.recognises(file)) return system.name;
  }
  return {};
}

}  // namespace bloomery
