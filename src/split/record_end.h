// Where records end in a piece of text.
//
// A record ends at every LF. With `multiline`, only at those with an even number of double quotes
// between them and the start of the record, so that a quoted field may hold line ends.
#pragma once

#include <cstddef>
#include <string_view>

namespace bloomery {

inline constexpr std::size_t kNoEnd = std::string_view::npos;

// The offset just past the first record of `text`, or kNoEnd. `text` starts at a record's start.
[[nodiscard]] std::size_t first_record_end(std::string_view text, bool multiline) noexcept;

// The offset just past the last whole record of `text`, or kNoEnd.
[[nodiscard]] std::size_t last_record_end(std::string_view text, bool multiline) noexcept;

}  // namespace bloomery
