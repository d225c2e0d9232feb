// What a map task of the build job ships.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery {

enum class Strategy : std::uint8_t {
  kIndexes,  // k fixed-width positions a key, unsorted
  kFilters,  // the raw bits of every block
  kAuto,     // every block by the cheapest of raw bits, gap-coded bits or sorted hashes
};

[[nodiscard]] std::string_view to_string(Strategy strategy) noexcept;
[[nodiscard]] std::optional<Strategy> strategy_from_string(std::string_view name) noexcept;

// What the partials of one group weigh under each strategy, framing included, all tasks together.
struct GroupBytes {
  std::string group;
  std::uint64_t indexes = 0;
  std::uint64_t filters = 0;
  std::uint64_t automatic = 0;
  double entropy_bytes = 0;  // of the partials' bits, taken as independent: the yardstick of `auto`
  // How many blocks `auto` sent in each form.
  std::uint64_t raw_blocks = 0;
  std::uint64_t gap_blocks = 0;
  std::uint64_t hash_blocks = 0;
  std::uint64_t empty_blocks = 0;

  // Everything but the name.
  void add(const GroupBytes& other) noexcept;
};

struct ShippedBytes {
  Strategy strategy = Strategy::kAuto;
  std::uint64_t bytes = 0;         // with this strategy, framing and trailers included
  std::vector<GroupBytes> groups;  // sorted

  // Adds what one more task weighs.
  void add(std::uint64_t task_bytes, std::vector<GroupBytes> task_groups);
};

}  // namespace bloomery
