#include "jobs.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "bank.h"
#include "base/error.h"
#include "bloomery/sizing.h"
#include "engines/facts_json.h"
#include "errors.h"
#include "key_chunks.h"
#include "keys.h"
#include "parse/json_bytes.h"
#include "parse/tally_json.h"
#include "spec_args.h"
#include "task_support.h"

namespace nb = nanobind;

namespace bloomery::python {
namespace {

using Json = nlohmann::ordered_json;

// Arguments that all jobs have, as bloomery/jobs.py puts them together.
struct JobArgs {
  JobInput input;
  TaskOptions tasks;
};

JobArgs job_args(nb::handle source, const RecipeText& recipe, const nb::dict& options) {
  JobArgs args;
  if (nb::isinstance<nb::list>(source)) {
    for (const nb::handle path : nb::cast<nb::list>(source)) {
      args.input.paths.push_back(nb::cast<fs::path>(path).string());
    }
  } else {
    args.input.batches = open_stream(source);
    if (args.input.batches == nullptr) {
      throw nb::type_error(
          "records come from a path, a list of paths, or an object with the Arrow "
          "C stream interface");
    }
  }
  args.input.recipe = recipe_of(recipe);
  take_option(options, "max_groups", args.input.max_groups);
  take_option(options, "strict", args.input.rejects.is_strict);
  take_option(options, "lenient", args.input.rejects.is_lenient);
  take_option(options, "max_bad", args.input.rejects.max_bad);
  take_option(options, "threads", args.tasks.threads);
  take_option(options, "memory", args.tasks.memory);
  take_option(options, "tmp", args.tasks.tmp);
  return args;
}

PyPlan plan(nb::handle source, const RecipeText& recipe, const nb::dict& filters, bool distinct,
            const nb::dict& options) {
  JobArgs args = job_args(source, recipe, options);
  PlanJob job{std::move(args.input), std::move(args.tasks), sizing_of(filter_args(filters)),
              distinct};
  const auto secret = secret_of(filter_args(filters).secret);
  const nb::gil_scoped_release released;
  PlanResult result = unwrap(run_plan(job));
  return {{std::move(result.groups), to_text(job.input.recipe)}, facts_text(result.facts), secret};
}

std::string build(nb::handle source, const RecipeText& recipe, const nb::dict& filters,
                  bool distinct, const PyPlan* planned, const fs::path& output, bool overwrite,
                  const TextMap& metadata, const nb::dict& options) {
  JobArgs args = job_args(source, recipe, options);
  BuildJob job;
  job.input = std::move(args.input);
  job.tasks = std::move(args.tasks);
  if (planned != nullptr) {
    job.plan = planned->plan.groups;
  } else {
    job.sizing = sizing_of(filter_args(filters));
  }
  job.distinct = distinct;
  job.output = output.string();
  job.overwrite = overwrite;
  job.metadata = metadata;
  const nb::gil_scoped_release released;
  return facts_text(unwrap(run_build(job)).facts);
}

std::pair<std::string, std::string> verify(const PyBank& bank, nb::handle source,
                                           const RecipeText& recipe, double sample,
                                           const nb::dict& options) {
  JobArgs args = job_args(source, recipe, options);
  const VerifyJob job{std::move(args.input), std::move(args.tasks), sample};
  const nb::gil_scoped_release released;
  const VerifyResult result = unwrap(run_verify(bank.bank, job));
  return {verification_json(result.verification), facts_text(result.facts)};
}

nb::list plan_groups_list(const PyPlan& self) {
  nb::list groups;
  for (const GroupPlan& group : self.plan.groups) {
    const FilterSpec& spec = group.spec;
    nb::dict dict;
    dict["group"] = group_name(group.group);
    dict["records"] = group.records;
    dict["planned_keys"] = spec.planned_keys;
    dict["kind"] = nb::str(to_string(spec.kind).data(), to_string(spec.kind).size());
    dict["bits"] = spec.bits;
    dict["hashes"] = spec.hashes;
    dict["bytes"] = table_bytes(spec.kind, spec.bits);
    dict["fpr"] = spec.fpr;
    dict["predicted_fpr"] = predicted_fpr(spec.kind, spec.planned_keys, spec.bits, spec.hashes);
    groups.append(dict);
  }
  return groups;
}

PyPlan plan_from_text(const std::string& json, const std::optional<nb::bytes>& secret) {
  const auto key = secret_of(secret);
  return {unwrap(plan_from_json(json, "plan", key)), "{}", key};
}

PyPlan plan_of_bank(const PyBank& bank) {
  PyPlan plan{{{}, bank.bank.recipe()}, "{}", bank.secret};
  for (const BankEntry& entry : bank.bank.entries()) {
    plan.plan.groups.push_back({std::string(entry.group()), entry.filter().spec(), entry.count()});
  }
  return plan;
}

std::uint64_t bytes_of_tables(const PyPlan& plan) {
  std::uint64_t bytes = 0;
  for (const GroupPlan& group : plan.plan.groups) {
    bytes += table_bytes(group.spec.kind, group.spec.bits);
  }
  return bytes;
}

void bind_plan(nb::module_& module) {
  nb::class_<PyPlan> type(module, "Plan",
                          "The specs of all groups: what to build, before it is built.");
  type.attr("__hash__") = nb::none();
  type.def_prop_ro("groups", &plan_groups_list, "A dict for each group.")
      .def_prop_ro("recipe",
                   [](const PyPlan& self) {
                     nb::dict dict;
                     for (const auto& [name, text] : self.plan.recipe) {
                       dict[group_name(name)] = group_name(text);
                     }
                     return dict;
                   })
      .def_prop_ro("_secret",
                   [](const PyPlan& self) -> std::optional<nb::bytes> {
                     if (!self.secret) return std::nullopt;
                     return nb::bytes(self.secret->data(), self.secret->size());
                   })
      .def_prop_ro("_facts", [](const PyPlan& self) { return self.facts; })
      .def_prop_ro("nbytes", &bytes_of_tables, "Of all tables together.")
      .def(
          "to_json", [](const PyPlan& self) { return plan_to_json(self.plan); },
          "What bloomery plan -o writes and --plan-from reads.")
      .def_static("from_json", &plan_from_text, nb::arg("json"), nb::arg("secret") = nb::none())
      .def_static("of_bank", &plan_of_bank, nb::arg("bank"), "So that banks merge.")
      .def("__len__", [](const PyPlan& self) { return self.plan.groups.size(); })
      .def("__repr__",
           [](const PyPlan& self) {
             return fmt::format("<bloomery.Plan: {} groups, {} bytes>", self.plan.groups.size(),
                                bytes_of_tables(self));
           })
      .def(
          "__eq__", [](const PyPlan& a, const PyPlan& b) { return a.plan == b.plan; },
          nb::is_operator())
      .def("__reduce__", [](nb::handle self) {
        const auto& plan = *nb::cast<const PyPlan*>(self);
        std::optional<nb::bytes> secret;
        if (plan.secret) secret = nb::bytes(plan.secret->data(), plan.secret->size());
        return nb::make_tuple(nb::module_::import_("bloomery.restore").attr("plan"),
                              nb::make_tuple(plan_to_json(plan.plan), secret));
      });
}

}  // namespace

Recipe recipe_of(const RecipeText& texts) {
  return unwrap(parse_recipe(texts));
}

FilterArgs filter_args(const nb::dict& options) {
  FilterArgs args;
  take_option(options, "fpr", args.fpr);
  take_option(options, "kind", args.kind);
  take_option(options, "hash", args.hash);
  take_option(options, "seed", args.seed);
  take_option(options, "hashes", args.hashes);
  take_option(options, "seeds", args.seeds);
  take_option(options, "bytes", args.bytes);
  take_option(options, "bits", args.bits);
  take_option(options, "secret", args.secret);
  take_option(options, "dialect", args.dialect);
  return args;
}

std::string facts_text(const JobFacts& facts) {
  Json object = bloomery::facts_json(facts);
  object["tally"] = tally_to_json(facts.tally);
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string verification_json(const Verification& verification) {
  Json groups = Json::array();
  for (const VerifiedGroup& group : verification.groups) {
    Json row = Json::object();
    put_bytes(row, "group", group.group);
    row.update({{"members", group.members},
                {"false_negatives", group.false_negatives},
                {"negatives", group.negatives},
                {"false_positives", group.false_positives},
                {"rate", group.rate},
                {"low", group.low},
                {"high", group.high},
                {"target", group.target},
                {"predicted", group.predicted},
                {"needed_negatives", group.needed_negatives},
                {"is_ok", group.is_ok}});
    groups.push_back(std::move(row));
  }
  Json outside = Json::array();
  for (const auto& [group, records] : verification.outside) {
    Json row = Json::object();
    put_bytes(row, "group", group);
    row["records"] = records;
    outside.push_back(std::move(row));
  }
  const Json object{{"is_ok", verification.is_ok},
                    {"is_exact", verification.is_exact},
                    {"asked_records", verification.records},
                    {"groups", std::move(groups)},
                    {"outside", std::move(outside)}};
  return object.dump();
}

void bind_jobs(nb::module_& module) {
  bind_plan(module);
  module.def("plan", &plan, nb::arg("source"), nb::arg("recipe"), nb::arg("filters"),
             nb::arg("distinct"), nb::arg("options"));
  module.def("build", &build, nb::arg("source"), nb::arg("recipe"), nb::arg("filters"),
             nb::arg("distinct"), nb::arg("plan").none(), nb::arg("output"), nb::arg("overwrite"),
             nb::arg("metadata"), nb::arg("options"));
  module.def("verify", &verify, nb::arg("bank"), nb::arg("source"), nb::arg("recipe"),
             nb::arg("sample"), nb::arg("options"));
}

}  // namespace bloomery::python
