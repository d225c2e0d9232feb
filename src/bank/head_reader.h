// Checks the head of a bank: everything before the tables.
//
//   takes   bytes that may be anything
//   gives   the header, and entries whose every field has been checked; or what is wrong, and where
//
// The order of the checks is that of docs/format.md, "What a reader does".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bank/entry_spec.h"
#include "bank/layout.h"
#include "bank/record.h"
#include "bloomery/bank.h"

namespace bloomery {

// "<name>: damaged at byte <offset>: <what>; restore a copy or build it again".
[[nodiscard]] Error damaged_at(std::string_view name, std::uint64_t offset, std::string_view what);

// The bytes before the payload. Those that are only checked stand apart, because they may be many
// and need not stay as they are.
struct HeadBytes {
  std::span<const std::byte> used;     // from the header to the metadata
  std::span<const std::byte> skipped;  // the extension and the zeros behind it
};

// A head that has been checked.
class CheckedHead {
 public:
  CheckedHead(const Header& header, const HeadLayout& layout, const HeadBytes& bytes)
      : header_(header), layout_(layout), bytes_(bytes.used) {}

  [[nodiscard]] const Header& header() const noexcept { return header_; }
  [[nodiscard]] const HeadLayout& layout() const noexcept { return layout_; }
  [[nodiscard]] std::size_t entry_count() const noexcept { return header_.entry_count; }
  // What follows requires i < entry_count().
  [[nodiscard]] std::uint64_t entry_offset(std::size_t i) const noexcept;
  [[nodiscard]] EntryRecord entry(std::size_t i) const noexcept;
  [[nodiscard]] std::string_view group(const EntryRecord& entry) const noexcept;
  [[nodiscard]] std::span<const std::byte> extra(const EntryRecord& entry) const noexcept;
  [[nodiscard]] std::uint64_t block_checksum(std::uint64_t block) const noexcept;

 private:
  Header header_;
  HeadLayout layout_;
  std::span<const std::byte> bytes_;
};

// Steps 1 to 4: that this is a bank, and where its parts lie. `start` holds the first bytes of a
// file of `size` bytes, all of them or at least 512.
Result<Header> check_header(std::span<const std::byte> start, std::uint64_t size,
                            std::string_view name);

// Steps 5 to 8. The bytes must outlive the result.
Result<CheckedHead> check_head(const Header& header, const HeadBytes& head, std::string_view name,
                               const OpenOptions& options);

// Step 9.
struct Texts {
  TextMap recipe;
  TextMap metadata;
};
Result<Texts> read_texts(const Header& header, const HeadBytes& head, std::string_view name);

}  // namespace bloomery
