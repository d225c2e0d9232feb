// The keyword arguments that say what filters to make, the same for a filter and for a job; and
// what was made of them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "errors.h"
#include "plan/plan.h"

namespace bloomery::python {

struct FilterArgs {
  double fpr = 0.01;
  std::string kind;  // empty: blocked, or what the dialect has
  std::string hash;  // empty: xxh3, or what the dialect has
  std::uint64_t seed = 0;
  std::optional<std::uint32_t> hashes;
  std::vector<std::uint64_t> seeds;
  std::optional<std::uint64_t> bytes;  // room for one filter, in place of a rate
  std::optional<std::uint64_t> bits;   // the same, in bits or counters
  std::optional<nanobind::bytes> secret;
  std::string dialect = "bloomery";
};

// Fails for arguments that do not go together.
SizingRequest sizing_of(const FilterArgs& args);

std::optional<SecretKey> secret_of(const std::optional<nanobind::bytes>& secret);

nanobind::dict spec_dict(const FilterSpec& spec);

}  // namespace bloomery::python
