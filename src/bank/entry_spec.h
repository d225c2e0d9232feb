// The spec of an entry: from a record of a file, and into one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bank/record.h"
#include "bloomery/bank.h"

namespace bloomery {

// Fills in everything but the places.
[[nodiscard]] EntryRecord record_of(const FilterSpec& spec, std::uint64_t count) noexcept;

// A record's field that is wrong, and why.
struct EntryFault {
  EntryField field = EntryField::kNameOffset;
  ErrorCode code = ErrorCode::kDamaged;
  std::string what;
};

// Makes specs of records. Keeps the last hasher, because most entries of a bank have the same one
// and each new one costs a hash.
class SpecReader {
 public:
  explicit SpecReader(const OpenOptions& options) : options_(options) {}

  // The spec, or what is wrong. `extra`: the bytes of the record's extra.
  [[nodiscard]] std::optional<EntryFault> read(const EntryRecord& record,
                                               std::span<const std::byte> extra, FilterSpec& spec);

 private:
  [[nodiscard]] std::optional<EntryFault> read_hasher(const EntryRecord& record);
  [[nodiscard]] std::optional<EntryFault> read_sip(const EntryRecord& record);

  const OpenOptions& options_;
  std::optional<Hasher> hasher_;
};

// Why these two numbers cannot belong to one table, or nothing: docs/format.md, "Entries".
[[nodiscard]] std::string count_fault(const FilterSpec& spec, std::uint64_t count,
                                      std::uint64_t ones);

}  // namespace bloomery
