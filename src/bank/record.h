// Header and entry of a bank as numbers, and as the bytes that docs/format.md lays down.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/checksum.h"

namespace bloomery {

inline constexpr std::array<std::byte, 8> kMagic{std::byte{0x89}, std::byte{'B'},  std::byte{'L'},
                                                 std::byte{'M'},  std::byte{'\r'}, std::byte{'\n'},
                                                 std::byte{0x1A}, std::byte{'\n'}};
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::uint64_t kHeaderBytes = 128;
inline constexpr std::uint64_t kEntryBytes = 128;
inline constexpr std::uint64_t kDigestOffset = 112;
inline constexpr std::uint64_t kChecksumBlockBytes = 65536;
// Of tables, and of where the payload starts.
inline constexpr std::uint64_t kAlignment = 64;
inline constexpr std::uint64_t kMaxGroupBytes = 65535;

struct Header {
  std::uint32_t version = kFormatVersion;
  std::uint32_t block_size = kChecksumBlockBytes;
  std::uint64_t must_understand = 0;
  std::uint64_t may_ignore = 0;
  std::uint64_t file_size = 0;
  std::uint64_t entry_count = 0;
  std::uint64_t extras_size = 0;
  std::uint64_t names_size = 0;
  std::uint64_t recipe_size = 0;
  std::uint64_t metadata_size = 0;
  std::uint64_t extension_size = 0;
  std::uint64_t payload_offset = 0;
  std::uint64_t payload_size = 0;
  std::uint64_t reserved = 0;
  Digest digest{};
};

struct EntryRecord {
  std::uint64_t name_offset = 0;
  std::uint32_t name_size = 0;
  std::uint16_t dialect = 0;
  std::uint8_t kind = 0;
  std::uint8_t hash = 0;
  std::uint32_t k = 0;
  std::uint32_t reserved = 0;
  std::uint64_t seed = 0;
  std::uint64_t self_check = 0;
  double fpr = 0;
  std::uint64_t planned_keys = 0;
  std::uint64_t m = 0;
  std::uint64_t count = 0;
  std::uint64_t ones = 0;
  std::uint64_t table_offset = 0;
  std::uint64_t table_size = 0;
  std::uint64_t extra_offset = 0;
  std::uint64_t extra_size = 0;
  std::array<std::uint64_t, 2> reserved_end{};
};

// Where a field lies, for messages. The same numbers as in docs/format.md.
enum class HeaderField : std::uint8_t {
  kVersion = 8,
  kBlockSize = 12,
  kMustUnderstand = 16,
  kExtensionSize = 80,
  kPayloadOffset = 88,
  kPayloadSize = 96,
  kReserved = 104,
};
enum class EntryField : std::uint8_t {
  kNameOffset = 0,
  kNameSize = 8,
  kDialect = 12,
  kKind = 14,
  kHash = 15,
  kK = 16,
  kReserved = 20,
  kSelfCheck = 32,
  kOnes = 72,
  kTableOffset = 80,
  kTableSize = 88,
  kExtraOffset = 96,
  kExtraSize = 104,
  kReservedEnd = 112,
};

[[nodiscard]] Header decode_header(std::span<const std::byte, kHeaderBytes> bytes) noexcept;
void encode_header(const Header& header, std::span<std::byte, kHeaderBytes> bytes) noexcept;
[[nodiscard]] EntryRecord decode_entry(std::span<const std::byte, kEntryBytes> bytes) noexcept;
void encode_entry(const EntryRecord& entry, std::span<std::byte, kEntryBytes> bytes) noexcept;

// The digest that belongs into the header of this head, whatever stands there now. `rest`: the end
// of the head, where it lies elsewhere.
[[nodiscard]] Digest digest_of_head(std::span<const std::byte> head,
                                    std::span<const std::byte> rest = {});

}  // namespace bloomery
