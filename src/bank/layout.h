// Where everything in a bank lies. Writer and reader both take it from here, so that a bank has one
// possible layout, and a reader refuses every other.
#pragma once

#include <cstdint>
#include <optional>

#include "bank/record.h"

namespace bloomery {

// Offsets of the parts of the head, from the sizes in a header.
struct HeadLayout {
  std::uint64_t entries = kHeaderBytes;
  std::uint64_t extras = 0;
  std::uint64_t checksums = 0;
  std::uint64_t names = 0;
  std::uint64_t recipe = 0;
  std::uint64_t metadata = 0;
  std::uint64_t extension = 0;
  std::uint64_t padding = 0;
  std::uint64_t payload = 0;      // the end of the head
  std::uint64_t block_count = 0;  // of the payload
};

// Nothing when a sum does not fit 64 bits.
[[nodiscard]] std::optional<HeadLayout> head_layout(const Header& header) noexcept;

[[nodiscard]] std::uint64_t block_count_of(std::uint64_t payload_size) noexcept;
// The bytes from a table's start to the next one's.
[[nodiscard]] std::uint64_t padded_table_size(std::uint64_t table_size) noexcept;

// Hands out the places of names, extras and tables to one entry after the other.
class EntryPlacer {
 public:
  explicit EntryPlacer(const HeadLayout& layout) noexcept
      : name_(layout.names), extra_(layout.extras), table_(layout.payload) {}

  struct Place {
    std::uint64_t name = 0;
    std::uint64_t extra = 0;  // 0 where there is none
    std::uint64_t table = 0;
  };
  // The sizes must lie inside the file, so that no sum here can wrap.
  Place place(std::uint64_t name_size, std::uint64_t extra_size, std::uint64_t table_size) noexcept;

  // Where the next of each would lie.
  [[nodiscard]] std::uint64_t name_end() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t extra_end() const noexcept { return extra_; }
  [[nodiscard]] std::uint64_t table_end() const noexcept { return table_; }

 private:
  std::uint64_t name_;
  std::uint64_t extra_;
  std::uint64_t table_;
};

}  // namespace bloomery
