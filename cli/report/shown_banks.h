// The banks that a report has something to say of: those that runs made, and those of builds.
//
//   takes   facts
//   gives   each bank once, with a name to show and its groups
#pragma once

#include <string>
#include <vector>

#include "cli/report/facts.h"

namespace bloomery::cli {

// The groups of one bank, by the spec or the file they come from. They stay those of the facts.
struct ShownBank {
  std::string label;
  std::string kind;    // empty: not known
  std::string hashes;  // "optimal", or what was asked for; empty: not known
  const Json* groups = nullptr;
};

[[nodiscard]] std::vector<ShownBank> built_banks(const Facts& facts);
// Those whose rates were measured.
[[nodiscard]] std::vector<ShownBank> verified_banks(const Facts& facts);

}  // namespace bloomery::cli
