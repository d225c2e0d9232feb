// Counts per group to a spec per group: where sizes are decided, once, for every engine.
//
//   takes   how many keys each group has, and what the user asked for
//   gives   a spec for each group, to the builders; and the plan file, for --plan-from
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "bloomery/spec.h"
#include "group/recipe.h"

namespace bloomery {

// What the user asked for, the same for all groups.
struct SizingRequest {
  Dialect dialect = Dialect::kBloomery;
  Kind kind = Kind::kBlocked;
  Hasher hasher;
  double fpr = 0.01;
  std::optional<std::uint32_t> hashes;  // a fixed k
  std::vector<std::uint64_t> seeds;     // one hash a position; fixes k
  std::optional<std::uint64_t> bits;    // room for each group's filter; then fpr follows from it
};

struct GroupCount {
  std::string group;
  std::uint64_t records = 0;  // used records, repeats included
  std::uint64_t planned = 0;  // what the filter is sized for: records, or distinct keys
};

struct GroupPlan {
  std::string group;
  FilterSpec spec;
  std::uint64_t records = 0;

  friend bool operator==(const GroupPlan&, const GroupPlan&) = default;
};

// What distinct keys are counted by on every engine: the filters' own hash where it has 64 bits.
// Those of other systems have 32, which are too few.
[[nodiscard]] Hasher counting_hasher(const SizingRequest& request);

// Sorted by group. Fails, naming the group, where one cannot be sized.
Result<std::vector<GroupPlan>> plan_groups(std::vector<GroupCount> counts,
                                           const SizingRequest& request);

// The plan file: JSON, with every spec whole, so that --plan-from never computes a size again. Of
// a secret key it holds the self-check value only, so reading needs the key.
struct SavedPlan {
  std::vector<GroupPlan> groups;
  RecipeText recipe;

  friend bool operator==(const SavedPlan&, const SavedPlan&) = default;
};
[[nodiscard]] std::string plan_to_json(const SavedPlan& plan);
// `name` is for messages.
Result<SavedPlan> plan_from_json(std::string_view json, std::string_view name,
                                 const std::optional<SecretKey>& secret);

}  // namespace bloomery
