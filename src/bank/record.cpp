#include "bank/record.h"

#include <cstring>

#include "base/endian.h"

namespace bloomery {
namespace {

// Calls visit(offset, field) for every field after the magic: one list for reading and writing.
template <typename HeaderRef, typename Visit>
void each_field(HeaderRef& header, const Visit& visit) noexcept {
  visit(8, header.version);
  visit(12, header.block_size);
  visit(16, header.must_understand);
  visit(24, header.may_ignore);
  visit(32, header.file_size);
  visit(40, header.entry_count);
  visit(48, header.extras_size);
  visit(56, header.names_size);
  visit(64, header.recipe_size);
  visit(72, header.metadata_size);
  visit(80, header.extension_size);
  visit(88, header.payload_offset);
  visit(96, header.payload_size);
  visit(104, header.reserved);
  visit(kDigestOffset, header.digest);
}

template <typename EntryRef, typename Visit>
void each_entry_field(EntryRef& entry, const Visit& visit) noexcept {
  visit(0, entry.name_offset);
  visit(8, entry.name_size);
  visit(12, entry.dialect);
  visit(14, entry.kind);
  visit(15, entry.hash);
  visit(16, entry.k);
  visit(20, entry.reserved);
  visit(24, entry.seed);
  visit(32, entry.self_check);
  visit(40, entry.fpr);
  visit(48, entry.planned_keys);
  visit(56, entry.m);
  visit(64, entry.count);
  visit(72, entry.ones);
  visit(80, entry.table_offset);
  visit(88, entry.table_size);
  visit(96, entry.extra_offset);
  visit(104, entry.extra_size);
  visit(112, entry.reserved_end);
}

auto reader_from(const std::byte* bytes) noexcept {
  return [bytes]<typename T>(std::size_t offset, T& field) { field = load_le<T>(bytes + offset); };
}

auto writer_to(std::byte* bytes) noexcept {
  return
      [bytes]<typename T>(std::size_t offset, const T& field) { store_le(bytes + offset, field); };
}

}  // namespace

Header decode_header(std::span<const std::byte, kHeaderBytes> bytes) noexcept {
  Header header;
  each_field(header, reader_from(bytes.data()));
  return header;
}

void encode_header(const Header& header, std::span<std::byte, kHeaderBytes> bytes) noexcept {
  std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
  each_field(header, writer_to(bytes.data()));
}

EntryRecord decode_entry(std::span<const std::byte, kEntryBytes> bytes) noexcept {
  EntryRecord entry;
  each_entry_field(entry, reader_from(bytes.data()));
  return entry;
}

void encode_entry(const EntryRecord& entry, std::span<std::byte, kEntryBytes> bytes) noexcept {
  each_entry_field(entry, writer_to(bytes.data()));
}

Digest digest_of_head(std::span<const std::byte> head, std::span<const std::byte> rest) {
  constexpr Digest kZero{};
  return digest128(
      {head.first(kDigestOffset), kZero, head.subspan(kDigestOffset + kZero.size()), rest});
}

}  // namespace bloomery
