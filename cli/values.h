// The texts that users type for numbers, sizes and rates, read without regard to the locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "cli/command.h"

namespace bloomery::cli {

// "1000", "1_000", "1.6M", "1e9": K, M, G and T are powers of 1000. Must come out whole.
Result<std::uint64_t> parse_count(std::string_view text);

// "4096", "64KiB", "1.5G", "2MB": K, M, G, T and KiB... are powers of 1024, KB... of 1000. Rounded
// down to whole bytes.
Result<std::uint64_t> parse_size(std::string_view text);

// "0.01", "1%" and "1-in-100" are one double: whatever way a rate is written, the filter is the
// same. Above 0 and below 1.
Result<double> parse_rate(std::string_view text);

// As a rate, but 0 and 1 are allowed too.
Result<double> parse_share(std::string_view text);

// Binders: each makes a Take that stores into `to`, which must outlive the parsing.
[[nodiscard]] Take into(std::string& to);
[[nodiscard]] Take into(bool& to);
[[nodiscard]] Take into(std::vector<std::string>& to);  // appends
[[nodiscard]] Take into_count(std::uint64_t& to, std::uint64_t min = 0,
                              std::uint64_t max = UINT64_MAX);

// For optionals and for anything else a parser gives.
template <typename To, typename Parse>
[[nodiscard]] Take into_parsed(To& to, Parse parse) {
  return [&to, parse](const std::string& text) -> Result<void> {
    auto value = parse(text);
    if (!value) return value.error();
    to = std::move(*value);
    return {};
  };
}

}  // namespace bloomery::cli
