// Tells a text's format and delimiter from its first records.
#pragma once

#include <string_view>

#include "parse/layout.h"

namespace bloomery {

// `text` as for shape_of(). What the options say is taken as said. JSON when the first record is an
// object; otherwise the delimiter (tab, comma, semicolon, pipe) that cuts most records into as many
// fields as the first. Fields are quoted where the delimiter is not a tab. The header is not
// guessed: columns asked for by name have one, others do not (docs/input.md).
[[nodiscard]] Layout sniff_layout(std::string_view text, bool is_whole,
                                  const LayoutOptions& options);

}  // namespace bloomery
