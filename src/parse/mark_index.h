// Finds the ends of fields and records in a piece of text, 64 bytes at a time.
//
//   takes   text that starts at a record's start
//   gives   the positions of delimiters and record ends, to whoever walks the records
//
// Two lists, so that the walk needs no search at all: a record has the right number of fields if
// and only if the mark that should be its last is its end, and any field lies between two marks.
//
// Quoted text is told apart by the parity of double quotes, as in the RFC 4180 grammar: a field is
// quoted from its first byte to its last, and a quote inside is doubled. Whatever breaks that
// grammar is broken quoting, whether or not anybody wants the field. The price: a quote in the
// middle of a plain field, which some programs take for a letter, breaks its record; `quotes` off
// takes every quote for a letter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace bloomery {

struct MarkRules {
  char delimiter = '\t';   // '\n' for records without fields
  bool quotes = false;     // double quotes hide delimiters
  bool multiline = false;  // and LFs
};

class MarkIndex {
 public:
  // The index of the whole of `text`, which is at most 2^31 bytes long and starts at a record's
  // start. If `is_whole`, its end is the end of its last record, LF or not.
  void build(std::string_view text, const MarkRules& rules, bool is_whole);

  // Position of the mark before a record's first field plus one, and of every mark, ascending:
  // marks()[0] is -1 (as 2^32 - 1), for the record at position 0.
  [[nodiscard]] std::span<const std::uint32_t> marks() const noexcept {
    return {marks_.get(), mark_count_};
  }
  // Position of every record's end: of its LF, or of the end of the text. Each is a mark too.
  [[nodiscard]] std::span<const std::uint32_t> ends() const noexcept {
    return {ends_.get(), end_count_};
  }
  // One position inside each record with broken quoting, or at its end; perhaps several in one.
  // Ascending.
  [[nodiscard]] std::span<const std::uint32_t> broken() const noexcept {
    return {broken_.get(), broken_count_};
  }
  // Whether there may be a doubled quote inside a quoted field: if not, fields need not be searched
  // for them.
  [[nodiscard]] bool has_doubled_quotes() const noexcept { return has_doubled_quotes_; }

 private:
  struct Scan;

  void reserve(std::size_t text_bytes);

  // Not vectors, which would write every position twice.
  std::unique_ptr<std::uint32_t[]> marks_;   // NOLINT(*-avoid-c-arrays)
  std::unique_ptr<std::uint32_t[]> ends_;    // NOLINT(*-avoid-c-arrays)
  std::unique_ptr<std::uint32_t[]> broken_;  // NOLINT(*-avoid-c-arrays)
  std::size_t capacity_ = 0;
  std::size_t mark_count_ = 0;
  std::size_t end_count_ = 0;
  std::size_t broken_count_ = 0;
  bool has_doubled_quotes_ = false;
};

}  // namespace bloomery
