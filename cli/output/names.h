// The words of flags that all commands have, in the order of Format.
#pragma once

#include <array>
#include <string_view>

namespace bloomery::cli {

inline constexpr std::array<std::string_view, 5> kFormatNames{"table", "csv", "tsv", "json", "md"};

}  // namespace bloomery::cli
