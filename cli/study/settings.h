// What one run of a study is: the values of all axes.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/output/json.h"

namespace bloomery::cli {

struct RunSettings {
  double fpr = 0.01;
  std::optional<std::uint64_t> hashes;   // absent: the best number
  std::optional<std::uint64_t> tasks;    // absent: as many as the engine takes
  std::optional<std::uint64_t> threads;  // absent: all
  std::string strategy = "none";         // "none": no --strategy
  std::string engine = "threads";
  std::string kind = "blocked";

  // NOLINTNEXTLINE(modernize-use-nullptr): it takes the 0 of a comparison for a pointer
  friend auto operator<=>(const RunSettings&, const RunSettings&) = default;
};

// Members in the order of the table in docs/study.md.
[[nodiscard]] Json to_json(const RunSettings& settings);

// What decides the bytes of the bank, and what does not: p, k and kind alone.
[[nodiscard]] std::string spec_of(const Json& settings);

// "threads, filters, p 0.01, k 7, 9 tasks"
[[nodiscard]] std::string to_text(const RunSettings& settings);

// The flags of bloomery build that make it so.
[[nodiscard]] std::vector<std::string> build_flags(const RunSettings& settings);

}  // namespace bloomery::cli
