#include "parse/mark_index.h"

#include <array>
#include <bit>
#include <cstring>

#include "parse/byte_mask.h"

namespace bloomery {
namespace {

// Appends base + i for every bit i of `bits`. Writing a fixed number of positions and counting bits
// to find the end, as some do, was slower here without popcnt and no faster with it
// (bench/input.cpp).
inline std::uint32_t* append(std::uint32_t* to, std::uint64_t bits, std::uint32_t base) noexcept {
  while (bits != 0) {
    *to++ = base + static_cast<std::uint32_t>(std::countr_zero(bits));
    bits &= bits - 1;
  }
  return to;
}

// All bits above the lowest one of `bits`, which must not be 0.
inline std::uint64_t above_lowest(std::uint64_t bits) noexcept {
  return ~(bits ^ (bits - 1));
}

}  // namespace

// The state that runs from block to block.
struct MarkIndex::Scan {
  MarkRules rules;
  std::uint32_t* marks;
  std::uint32_t* ends;
  std::uint32_t* broken;
  std::uint64_t inside = 0;       // all ones when the block starts inside quotes
  std::uint64_t after_break = 1;  // 1 when a field starts at the block's first byte
  std::uint64_t after_close = 0;  // 1 when the byte before the block closed a quote
  std::uint64_t doubled = 0;      // not 0 when a quote opened right after one had closed

  template <bool Quotes>
  void block(const char* bytes, std::uint32_t base, std::uint64_t valid,
             bool next_is_end) noexcept {
    const ByteBlock text(bytes);
    std::uint64_t line_feeds = text.equal_to('\n') & valid;
    std::uint64_t delimiters = text.equal_to(rules.delimiter) & valid;
    if constexpr (Quotes) {
      const std::uint64_t quotes = text.equal_to('"') & valid;
      if ((quotes | inside | after_close) != 0) {
        hide_quoted(text, quotes, valid, next_is_end, base, line_feeds, delimiters);
      } else {
        after_break = (line_feeds | delimiters) >> 63U;
      }
    }
    marks = append(marks, line_feeds | delimiters, base);
    ends = append(ends, line_feeds, base);
  }

  // Takes out of both masks what lies inside quotes, and notes what breaks the grammar.
  void hide_quoted(const ByteBlock& text, std::uint64_t quotes, std::uint64_t valid,
                   bool next_is_end, std::uint32_t base, std::uint64_t& line_feeds,
                   std::uint64_t& delimiters) noexcept {
    // Ones from each opening quote up to the byte before its closing one.
    std::uint64_t quoted = prefix_xor(quotes) ^ inside;
    std::uint64_t errors = 0;
    if (rules.multiline) {
      line_feeds &= ~quoted;
    } else {
      // A record ends at LF whatever its quotes say, and the next one starts outside of them.
      for (std::uint64_t caught = line_feeds & quoted; caught != 0; caught = line_feeds & quoted) {
        const std::uint64_t lowest = caught & (0 - caught);
        errors |= lowest;
        quoted ^= above_lowest(caught) | lowest;
      }
    }
    delimiters &= ~quoted;
    const std::uint64_t breaks = line_feeds | delimiters;
    const std::uint64_t opening = quotes & quoted;
    const std::uint64_t closing = quotes & ~quoted;
    const std::uint64_t line_feed_follows =
        (line_feeds >> 1U) | (next_is_end ? last_bit(valid) : 0);
    const std::uint64_t returns = text.equal_to('\r') & line_feed_follows;
    const std::uint64_t closed_before = (closing * 2U) | after_close;
    doubled |= opening & closed_before;
    errors |= opening & ~((breaks * 2U) | after_break | closed_before);
    errors |= closed_before & ~(breaks | opening | returns) & valid;
    if (errors != 0) broken = append(broken, errors, base);
    after_break = breaks >> 63U;
    after_close = closing >> 63U;
    inside = 0 - (quoted >> 63U);
  }

  static std::uint64_t last_bit(std::uint64_t valid) noexcept { return valid ^ (valid >> 1U); }
};

void MarkIndex::reserve(std::size_t text_bytes) {
  const std::size_t needed = text_bytes + kMaskBytes + 2;
  if (needed <= capacity_) return;
  marks_ = std::make_unique_for_overwrite<std::uint32_t[]>(needed);   // NOLINT(*-avoid-c-arrays)
  ends_ = std::make_unique_for_overwrite<std::uint32_t[]>(needed);    // NOLINT(*-avoid-c-arrays)
  broken_ = std::make_unique_for_overwrite<std::uint32_t[]>(needed);  // NOLINT(*-avoid-c-arrays)
  capacity_ = needed;
}

void MarkIndex::build(std::string_view text, const MarkRules& rules, bool is_whole) {
  reserve(text.size());
  Scan scan{rules, marks_.get(), ends_.get(), broken_.get()};
  *scan.marks++ = UINT32_MAX;
  const auto size = static_cast<std::uint32_t>(text.size());
  const auto scan_block = [&](const char* bytes, std::uint32_t base, std::uint64_t valid,
                              bool next_is_end) {
    if (rules.quotes) {
      scan.block<true>(bytes, base, valid, next_is_end);
    } else {
      scan.block<false>(bytes, base, valid, next_is_end);
    }
  };
  std::uint32_t base = 0;
  for (; base + kMaskBytes < size; base += kMaskBytes) {
    scan_block(text.data() + base, base, ~std::uint64_t{0}, text[base + kMaskBytes] == '\n');
  }
  if (base < size) {
    std::array<char, kMaskBytes> tail{};
    const std::size_t length = size - base;
    std::memcpy(tail.data(), text.data() + base, length);
    scan_block(tail.data(), base, ~std::uint64_t{0} >> (kMaskBytes - length), true);
  }
  // The end of the text is the end of a record that has no LF of its own.
  if (is_whole && size > 0 && (scan.ends == ends_.get() || scan.ends[-1] != size - 1)) {
    if (scan.inside != 0) *scan.broken++ = size;
    *scan.marks++ = size;
    *scan.ends++ = size;
  }
  has_doubled_quotes_ = scan.doubled != 0;
  mark_count_ = static_cast<std::size_t>(scan.marks - marks_.get());
  end_count_ = static_cast<std::size_t>(scan.ends - ends_.get());
  broken_count_ = static_cast<std::size_t>(scan.broken - broken_.get());
}

}  // namespace bloomery
