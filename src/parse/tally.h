// What became of every record: read = used + missing + blank + header + rejected, for every file.
//
//   takes   one call a record, from the reader
//   gives   counts and samples, to the run record and to whoever decides whether there are too many
//
// Tallies of tasks merge in any order to the same tally: counts add, and of the samples those with
// the lowest file and offset stay. Offsets are of bytes in the decompressed text, because a task
// does not know how many lines came before it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"

namespace bloomery {

// Why a record was rejected.
enum class Reject : std::uint8_t {
  kFieldCount,       // not as many fields as the header or the first record
  kGroupNotNumber,   // the group is to be rounded or compared and is no decimal number
  kGroupOutOfRange,  // outside --group-range, or a group name above 65,535 bytes
  kKeyNotNumber,     // --key-type u64 and the key is no number below 2^64
  kBadUtf8,          // JSON that is not UTF-8; elsewhere only if text is asked for
  kNulByte,          // only if text is asked for
  kOverLong,         // longer than --max-line
  kBrokenQuoting,    // against RFC 4180
  kBrokenJson,       // no JSON object, or a wanted field that is an object or an array
  kTruncatedLast,    // the last record of a file, without an end and with too few fields
  kRepeatedHeader,   // the header once more inside the data
};
inline constexpr std::size_t kRejectKinds = 11;

// "field_count", "group_not_number", ...: for JSON and for people.
[[nodiscard]] std::string_view to_string(Reject reject) noexcept;
// "not as many fields as the first record", ...
[[nodiscard]] std::string_view explain(Reject reject) noexcept;

struct FileTally {
  std::uint64_t read = 0;
  std::uint64_t used = 0;
  std::uint64_t missing = 0;
  std::uint64_t blank = 0;
  std::uint64_t header = 0;
  std::array<std::uint64_t, kRejectKinds> rejected{};

  [[nodiscard]] std::uint64_t rejected_total() const noexcept;
  [[nodiscard]] bool adds_up() const noexcept {
    return read == used + missing + blank + header + rejected_total();
  }
  FileTally& operator+=(const FileTally& other) noexcept;
  friend bool operator==(const FileTally&, const FileTally&) = default;
};

// A rejected record.
struct RejectedRecord {
  std::uint32_t file = 0;    // its place in the list of inputs
  std::uint64_t offset = 0;  // of its first byte in the file's text
  Reject category = Reject::kFieldCount;
  std::string text;    // the first bytes of the record, escaped
  std::string reason;  // "5 fields where 3 were expected"

  friend bool operator==(const RejectedRecord&, const RejectedRecord&) = default;
};

class Tally {
 public:
  static constexpr std::size_t kSamples = 10;  // of each category

  // The counts of one file, to be added to.
  [[nodiscard]] FileTally& file(std::uint32_t index);
  // One entry a file that was read, in the order of the inputs.
  [[nodiscard]] const std::vector<FileTally>& files() const noexcept { return files_; }
  [[nodiscard]] FileTally total() const noexcept;

  // Whether a record of this category at this place would be kept: ask before making its text.
  [[nodiscard]] bool wants_sample(Reject category) const noexcept {
    return samples(category).size() < kSamples;
  }
  // Samples must come in the order of their offsets, as a task reads them.
  void add_sample(RejectedRecord record);
  [[nodiscard]] const std::vector<RejectedRecord>& samples(Reject category) const noexcept {
    return samples_[static_cast<std::size_t>(category)];
  }

  // Adds another task's tally. Fails, changing nothing, when either does not add up: then a record
  // got lost.
  Result<void> merge(const Tally& other);
  // Fails unless every file adds up.
  [[nodiscard]] Result<void> check() const;

  friend bool operator==(const Tally&, const Tally&) = default;

 private:
  std::vector<FileTally> files_;
  std::array<std::vector<RejectedRecord>, kRejectKinds> samples_;
};

}  // namespace bloomery
