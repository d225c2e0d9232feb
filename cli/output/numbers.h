// Numbers for people, the same in every locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::cli {

// The nearest whole number, of what is not negative.
[[nodiscard]] std::uint64_t nearest(double number);
// 1254184 as "1,254,184".
[[nodiscard]] std::string grouped(std::uint64_t number);
// "1 filter", "1,000 filters".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view noun);
// Four significant digits, as short as they are: "0.547", "1.27e-05".
[[nodiscard]] std::string short_number(double number);
// "1.51 MiB"; below 10,000 bytes "512 bytes".
[[nodiscard]] std::string size_text(std::uint64_t bytes);
// "0.9957 %".
[[nodiscard]] std::string percent(double share);
// "0.6 s", "12 ms", "3 min 20 s".
[[nodiscard]] std::string duration(double seconds);

}  // namespace bloomery::cli
