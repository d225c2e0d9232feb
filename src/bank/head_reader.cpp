#include "bank/head_reader.h"

#include <algorithm>

#include "bank/identify.h"
#include "bank/texts.h"
#include "base/endian.h"
#include "base/error.h"

namespace bloomery {
namespace {

Error made_by_newer(std::string_view name, std::uint64_t offset, std::string_view what) {
  return make_error(ErrorCode::kUnsupported,
                    "{}: made by a newer bloomery: {} at byte {} is unknown here; update bloomery",
                    name, what, offset);
}

Error damaged_field(std::string_view name, HeaderField field, std::string_view what) {
  return damaged_at(name, static_cast<std::uint64_t>(field), what);
}

Result<void> check_version(std::span<const std::byte> start, std::uint64_t size,
                           std::string_view name) {
  constexpr auto kOffset = static_cast<std::size_t>(HeaderField::kVersion);
  if (size >= kOffset + sizeof(std::uint32_t)) {
    const auto version = load_le<std::uint32_t>(start.data() + kOffset);
    if (version > kFormatVersion) {
      return made_by_newer(name, kOffset, fmt::format("format version {}", version));
    }
    if (version != kFormatVersion)
      return damaged_field(name, HeaderField::kVersion, "format version 0");
  }
  if (size < kHeaderBytes) {
    return damaged_at(name, size, fmt::format("cut short: {} bytes of a bank", size));
  }
  return {};
}

Result<void> check_sizes(const Header& header, std::uint64_t size, std::string_view name) {
  if (header.block_size != kChecksumBlockBytes) {
    return damaged_field(
        name, HeaderField::kBlockSize,
        fmt::format("blocks of {} bytes instead of {}", header.block_size, kChecksumBlockBytes));
  }
  if (header.file_size != size) {
    return damaged_at(
        name, std::min(header.file_size, size),
        fmt::format("{}: {} bytes, and should have {}",
                    size < header.file_size ? "cut short" : "followed by something else", size,
                    header.file_size));
  }
  // The payload first, because the number of checksums comes from it.
  if (header.payload_offset > size || header.payload_size != size - header.payload_offset) {
    return damaged_field(name, HeaderField::kPayloadSize,
                         fmt::format("a payload of {} bytes at {} in a file of {}",
                                     header.payload_size, header.payload_offset, size));
  }
  const auto layout = head_layout(header);
  if (!layout || layout->payload != header.payload_offset) {
    return damaged_field(name, HeaderField::kPayloadOffset,
                         "the sizes of the parts do not end where the payload begins");
  }
  return {};
}

}  // namespace

Error damaged_at(std::string_view name, std::uint64_t offset, std::string_view what) {
  return make_error(ErrorCode::kDamaged,
                    "{}: damaged at byte {}: {}; restore a copy or build it again", name, offset,
                    what);
}

std::uint64_t CheckedHead::entry_offset(std::size_t i) const noexcept {
  return layout_.entries + i * kEntryBytes;
}

EntryRecord CheckedHead::entry(std::size_t i) const noexcept {
  return decode_entry(bytes_.subspan(entry_offset(i)).first<kEntryBytes>());
}

std::string_view CheckedHead::group(const EntryRecord& entry) const noexcept {
  return {reinterpret_cast<const char*>(bytes_.data()) + entry.name_offset, entry.name_size};
}

std::span<const std::byte> CheckedHead::extra(const EntryRecord& entry) const noexcept {
  return bytes_.subspan(entry.extra_offset, entry.extra_size);
}

std::uint64_t CheckedHead::block_checksum(std::uint64_t block) const noexcept {
  return load_le<std::uint64_t>(bytes_.data() + layout_.checksums + block * sizeof(std::uint64_t));
}

Result<Header> check_header(std::span<const std::byte> start, std::uint64_t size,
                            std::string_view name) {
  if (start.size() < kMagic.size() ||
      !std::ranges::equal(start.first<kMagic.size()>(), std::span(kMagic))) {
    return not_a_bank(name, start, size);
  }
  if (auto checked = check_version(start, size, name); !checked) return checked.error();
  const Header header = decode_header(start.first<kHeaderBytes>());
  if (auto checked = check_sizes(header, size, name); !checked) return checked.error();
  return header;
}

// Checks one entry after the other. Nothing of a record is used before it was checked.
class HeadReader {
 public:
  HeadReader(const Header& header, const HeadBytes& bytes, std::string_view name,
             const OpenOptions& options)
      : bytes_(bytes),
        head_(header, *head_layout(header), bytes),
        name_(name),
        specs_(options),
        placer_(head_.layout()) {}

  Result<CheckedHead> check() {
    if (auto checked = check_digest(); !checked) return checked.error();
    if (auto checked = check_header_meaning(); !checked) return checked.error();
    std::string_view previous;
    for (std::size_t i = 0; i < head_.entry_count(); ++i) {
      const EntryRecord entry = head_.entry(i);
      if (auto fault = check_entry(entry, previous)) return error_of(*fault, entry, i);
      previous = head_.group(entry);
    }
    if (auto checked = check_ends(); !checked) return checked.error();
    return head_;
  }

 private:
  using Fault = std::optional<EntryFault>;

  static Fault damage(EntryField field, std::string what) {
    return EntryFault{field, ErrorCode::kDamaged, std::move(what)};
  }

  [[nodiscard]] Result<void> check_digest() const {
    if (digest_of_head(bytes_.used, bytes_.skipped) == head_.header().digest) return {};
    return damaged_at(name_, kDigestOffset,
                      "the digest does not match the bytes before the tables");
  }

  [[nodiscard]] Result<void> check_header_meaning() const {
    const Header& header = head_.header();
    if (header.must_understand != 0) {
      return made_by_newer(name_, static_cast<std::uint64_t>(HeaderField::kMustUnderstand),
                           fmt::format("feature {:#x}", header.must_understand));
    }
    if (header.reserved != 0) {
      return damaged_field(name_, HeaderField::kReserved, "reserved bytes that are not zero");
    }
    if (header.may_ignore == 0 && header.extension_size != 0) {
      return damaged_field(name_, HeaderField::kExtensionSize,
                           "an extension that no feature explains");
    }
    const auto padding = bytes_.skipped.subspan(header.extension_size);
    const auto dirty = std::ranges::find_if(padding, [](std::byte b) { return b != std::byte{0}; });
    if (dirty != padding.end()) {
      const auto at = static_cast<std::uint64_t>(dirty - padding.begin());
      return damaged_at(name_, head_.layout().padding + at, "a gap that is not zero");
    }
    return {};
  }

  Fault check_entry(const EntryRecord& entry, std::string_view previous) {
    if (auto fault = check_name(entry, previous)) return fault;
    if (entry.reserved != 0) {
      return damage(EntryField::kReserved, "reserved bytes that are not zero");
    }
    if (entry.reserved_end != EntryRecord{}.reserved_end) {
      return damage(EntryField::kReservedEnd, "reserved bytes that are not zero");
    }
    if (auto fault = check_extra_place(entry)) return fault;
    FilterSpec spec;
    if (auto fault = specs_.read(entry, head_.extra(entry), spec)) return fault;
    if (auto fault = check_table_place(entry, spec)) return fault;
    if (auto what = count_fault(spec, entry.count, entry.ones); !what.empty()) {
      return damage(EntryField::kOnes, std::move(what));
    }
    placer_.place(entry.name_size, entry.extra_size, entry.table_size);
    return std::nullopt;
  }

  [[nodiscard]] Fault check_name(const EntryRecord& entry, std::string_view previous) const {
    if (entry.name_size == 0 || entry.name_size > kMaxGroupBytes) {
      return damage(EntryField::kNameSize, fmt::format("a group of {} bytes", entry.name_size));
    }
    if (entry.name_offset != placer_.name_end()) {
      return damage(EntryField::kNameOffset, fmt::format("its name at {} instead of {}",
                                                         entry.name_offset, placer_.name_end()));
    }
    if (entry.name_size > head_.layout().recipe - entry.name_offset) {
      return damage(EntryField::kNameSize, "its name reaches beyond the names");
    }
    if (head_.group(entry) <= previous) {
      return damage(EntryField::kNameOffset, "groups that are not in ascending order");
    }
    return std::nullopt;
  }

  [[nodiscard]] Fault check_extra_place(const EntryRecord& entry) const {
    const std::uint64_t expected = entry.extra_size == 0 ? 0 : placer_.extra_end();
    if (entry.extra_offset != expected) {
      return damage(EntryField::kExtraOffset,
                    fmt::format("its extra at {} instead of {}", entry.extra_offset, expected));
    }
    if (entry.extra_size > head_.layout().checksums - placer_.extra_end()) {
      return damage(EntryField::kExtraSize, "its extra reaches beyond the extras");
    }
    return std::nullopt;
  }

  [[nodiscard]] Fault check_table_place(const EntryRecord& entry, const FilterSpec& spec) const {
    const std::uint64_t size = table_bytes(spec.kind, spec.bits);
    if (entry.table_size != size) {
      return damage(EntryField::kTableSize,
                    fmt::format("a table of {} bytes instead of {}", entry.table_size, size));
    }
    if (entry.table_offset != placer_.table_end()) {
      return damage(EntryField::kTableOffset, fmt::format("its table at {} instead of {}",
                                                          entry.table_offset, placer_.table_end()));
    }
    if (padded_table_size(size) > head_.header().file_size - entry.table_offset) {
      return damage(EntryField::kTableSize, "its table reaches beyond the file");
    }
    return std::nullopt;
  }

  // That names, extras and tables fill their parts of the file.
  [[nodiscard]] Result<void> check_ends() const {
    if (placer_.name_end() != head_.layout().recipe) {
      return damaged_at(name_, placer_.name_end(), "names that belong to no entry");
    }
    if (placer_.extra_end() != head_.layout().checksums) {
      return damaged_at(name_, placer_.extra_end(), "extras that belong to no entry");
    }
    if (placer_.table_end() != head_.header().file_size) {
      return damaged_at(name_, placer_.table_end(), "bytes that belong to no entry");
    }
    return {};
  }

  [[nodiscard]] Error error_of(const EntryFault& fault, const EntryRecord& entry,
                               std::size_t i) const {
    const std::uint64_t offset = head_.entry_offset(i) + static_cast<std::uint64_t>(fault.field);
    // A name can only be shown once it is known to be one.
    const bool has_name =
        fault.field != EntryField::kNameOffset && fault.field != EntryField::kNameSize;
    const std::string who = has_name ? fmt::format("group \"{}\"", escaped(head_.group(entry)))
                                     : fmt::format("entry {}", i);
    if (fault.code == ErrorCode::kUnsupported) {
      return made_by_newer(name_, offset, fmt::format("{} of {}", fault.what, who));
    }
    if (fault.code == ErrorCode::kMismatch) {
      return make_error(ErrorCode::kMismatch, "{}: {}: {}", name_, who, fault.what);
    }
    return damaged_at(name_, offset, fmt::format("{}: {}", who, fault.what));
  }

  HeadBytes bytes_;
  CheckedHead head_;
  std::string_view name_;
  SpecReader specs_;
  EntryPlacer placer_;
};

Result<CheckedHead> check_head(const Header& header, const HeadBytes& head, std::string_view name,
                               const OpenOptions& options) {
  return HeadReader(header, head, name, options).check();
}

Result<Texts> read_texts(const Header& header, const HeadBytes& head, std::string_view name) {
  const HeadLayout layout = *head_layout(header);
  auto recipe = decode_texts(head.used.subspan(layout.recipe, header.recipe_size));
  if (const auto* fault = std::get_if<TextsFault>(&recipe)) {
    return damaged_at(name, layout.recipe + fault->offset, "recipe: " + fault->what);
  }
  auto metadata = decode_texts(head.used.subspan(layout.metadata, header.metadata_size));
  if (const auto* fault = std::get_if<TextsFault>(&metadata)) {
    return damaged_at(name, layout.metadata + fault->offset, "metadata: " + fault->what);
  }
  return Texts{std::get<TextMap>(std::move(recipe)), std::get<TextMap>(std::move(metadata))};
}

}  // namespace bloomery
