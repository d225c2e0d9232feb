// The flags that say what filters to make, and the request they add up to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "cli/command.h"
#include "plan/plan.h"

namespace bloomery::cli {

struct FilterOptions {
  std::optional<double> fpr;
  std::optional<std::uint64_t> bytes;
  std::optional<std::uint64_t> bits;
  std::optional<std::uint64_t> hashes;
  std::string dialect = "bloomery";
  std::string kind;  // empty: not said
  std::string hash;  // empty: not said
  std::optional<std::uint64_t> seed;
  std::vector<std::uint64_t> seeds;
  std::string key_file;
};

inline constexpr double kDefaultFpr = 0.01;

// As --dialect takes them.
[[nodiscard]] std::vector<std::string> dialect_names();
// Without bloomery's own.
[[nodiscard]] std::vector<std::string> foreign_dialect_names();

[[nodiscard]] std::vector<Flag> filter_flags(FilterOptions& options);

// The room for one filter of this kind in bits (counters), where --bytes or --bits gives it.
Result<std::optional<std::uint64_t>> room_of(Kind kind, const FilterOptions& options);

// That flag with its value. Requires one of them.
[[nodiscard]] std::string room_text(const FilterOptions& options);

// Fails for flags that do not go together.
Result<SizingRequest> sizing_request(const FilterOptions& options);

}  // namespace bloomery::cli
