// plan, build and verify on this machine's threads, for Python; and what every engine shares of
// them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>

#include "engines/threads/engine.h"
#include "plan/plan.h"
#include "spec_args.h"
#include "verify/verify.h"

namespace bloomery::python {

// A plan: the specs of all groups, and how keys and groups are made.
struct PyPlan {
  SavedPlan plan;
  std::string facts;  // JSON, as facts_text()
  std::optional<SecretKey> secret;
};

// What a job reports, as JSON: inputs, records, rejected, tasks, warnings, ...
[[nodiscard]] std::string facts_text(const JobFacts& facts);
// The result of verify, as JSON: groups, records, outside, is_exact, is_ok.
[[nodiscard]] std::string verification_json(const Verification& verification);

// The keyword arguments of filters, as a job is given them.
[[nodiscard]] FilterArgs filter_args(const nanobind::dict& options);

[[nodiscard]] Recipe recipe_of(const RecipeText& texts);

void bind_jobs(nanobind::module_& module);

}  // namespace bloomery::python
