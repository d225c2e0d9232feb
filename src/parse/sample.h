// The first records of a text one by one, for looking at them before the real reading starts. Not
// fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parse/layout.h"

namespace bloomery {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct SampleRecord {
  std::uint64_t offset = 0;
  std::string_view text;  // without its line end
};

// Up to `count` records that are not blank, from the start of a file's text. `text` may end inside
// a record, which is left out unless `is_whole`.
[[nodiscard]] std::vector<SampleRecord> first_records(std::string_view text, std::size_t count,
                                                      bool multiline, bool is_whole);

// The fields of one delimited record, unquoted; nothing when its quoting is broken.
[[nodiscard]] std::optional<std::vector<std::string>> split_fields(std::string_view record,
                                                                   const Layout& layout);

}  // namespace bloomery
