// The whole of a bank but its tables: where everything will lie, and then the head.
//
//   takes   entries, recipe, metadata; then what scan_payload() found in the tables
//   gives   the offsets to put the tables at; then the bytes of the head
//
// BankWriter does this with a file, bank_bytes() with memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "bank/layout.h"
#include "bank/payload.h"
#include "bank/record.h"
#include "bloomery/bank.h"

namespace bloomery {

class BankPlan {
 public:
  // Fails for an invalid group or spec, two entries of one group, and texts that are too long.
  static Result<BankPlan> create(std::vector<BankWriter::Entry> entries,
                                 const WriteOptions& options);

  [[nodiscard]] std::uint64_t file_size() const noexcept { return header_.file_size; }
  [[nodiscard]] std::uint64_t payload_offset() const noexcept { return header_.payload_offset; }
  // Sorted by group.
  [[nodiscard]] const std::vector<BankWriter::Entry>& entries() const noexcept { return entries_; }
  // Nothing when there is no such group.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view group) const noexcept;
  // In the file.
  [[nodiscard]] std::uint64_t table_offset(std::size_t i) const noexcept {
    return records_[i].table_offset;
  }
  [[nodiscard]] std::uint64_t table_size(std::size_t i) const noexcept {
    return records_[i].table_size;
  }
  void set_count(std::size_t i, std::uint64_t count) noexcept { records_[i].count = count; }

  // For scan_payload(); `reader` gets the payload from wherever it is. Not longer than the plan.
  [[nodiscard]] Payload payload(std::function<Payload::ReadPiece()> reader) const;

  // Fails when counts and tables do not fit each other, or bits are set past the end of a table:
  // such a bank could not be opened.
  Result<std::vector<std::byte>> make_head(const PayloadFacts& facts);

 private:
  Result<void> sort_entries();
  Result<void> lay_out();

  std::vector<BankWriter::Entry> entries_;
  std::vector<EntryRecord> records_;
  std::vector<std::byte> recipe_;
  std::vector<std::byte> metadata_;
  Header header_;
  HeadLayout layout_;
};

// The entries of a bank of these filters, or what is wrong with them.
Result<std::vector<BankWriter::Entry>> entries_of(std::span<const GroupFilter> filters);

// Puts the whole bank into `bytes`, which are zero and plan.file_size() long.
Result<void> fill_bank(BankPlan& plan, std::span<const GroupFilter> filters,
                       std::span<std::byte> bytes, unsigned threads);

}  // namespace bloomery
