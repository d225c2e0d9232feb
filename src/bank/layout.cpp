#include "bank/layout.h"

#include "base/checked.h"

namespace bloomery {

std::optional<HeadLayout> head_layout(const Header& header) noexcept {
  HeadLayout layout;
  layout.block_count = block_count_of(header.payload_size);
  CheckedSize at(layout.entries);
  layout.extras = at.add_product(header.entry_count, kEntryBytes).value();
  layout.checksums = (at += header.extras_size).value();
  layout.names = at.add_product(layout.block_count, sizeof(std::uint64_t)).value();
  layout.recipe = (at += header.names_size).value();
  layout.metadata = (at += header.recipe_size).value();
  layout.extension = (at += header.metadata_size).value();
  layout.padding = (at += header.extension_size).value();
  layout.payload = at.round_up(kAlignment).value();
  return at.is_valid() ? std::optional(layout) : std::nullopt;
}

std::uint64_t block_count_of(std::uint64_t payload_size) noexcept {
  return payload_size / kChecksumBlockBytes + (payload_size % kChecksumBlockBytes != 0 ? 1 : 0);
}

std::uint64_t padded_table_size(std::uint64_t table_size) noexcept {
  return (table_size + kAlignment - 1) / kAlignment * kAlignment;
}

EntryPlacer::Place EntryPlacer::place(std::uint64_t name_size, std::uint64_t extra_size,
                                      std::uint64_t table_size) noexcept {
  const Place place{name_, extra_size == 0 ? 0 : extra_, table_};
  name_ += name_size;
  extra_ += extra_size;
  table_ += padded_table_size(table_size);
  return place;
}

}  // namespace bloomery
