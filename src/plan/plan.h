// Counts per group to a spec per group: where sizes are decided, once, for every engine.
//
//   takes   how many keys each group has, and what the user asked for
//   gives   a spec for each group, to the builders; and the plan file, for --plan-from
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "bloomery/spec.h"

namespace bloomery {

// What the user asked for, the same for all groups.
struct SizingRequest {
  Kind kind = Kind::kBlocked;
  Hasher hasher;
  double fpr = 0.01;
  std::optional<std::uint32_t> hashes;   // a fixed k
  std::vector<std::uint64_t> seeds;      // one hash a position; fixes k
  std::optional<std::uint64_t> bytes;    // a budget for each group, instead of fpr
};

struct GroupCount {
  std::string group;
  std::uint64_t records = 0;   // used records, repeats included
  std::uint64_t planned = 0;   // what the filter is sized for: records, or distinct keys
};

struct GroupPlan {
  std::string group;
  FilterSpec spec;
  std::uint64_t records = 0;

  friend bool operator==(const GroupPlan&, const GroupPlan&) = default;
};

// Sorted by group. Fails, naming the group, where one cannot be sized.
Result<std::vector<GroupPlan>> plan_groups(std::vector<GroupCount> counts,
                                           const SizingRequest& request);

// The plan file: JSON, with every spec whole, so that --plan-from never computes a size again. It holds
// the self-check value of a secret key, never the key: reading needs the key for HashId::kSip.
[[nodiscard]] std::string plan_to_json(const std::vector<GroupPlan>& plan, const std::string& recipe);
struct SavedPlan {
  std::vector<GroupPlan> groups;
  std::string recipe;
};
Result<SavedPlan> plan_from_json(const std::string& json, const std::string& name,
                                 const std::optional<SecretKey>& secret);

}  // namespace bloomery
