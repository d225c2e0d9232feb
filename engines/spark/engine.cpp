#include "engines/spark/engine.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/error.h"
#include "engines/describe_bank.h"
#include "engines/spark/python_job.h"
#include "parse/tally_json.h"
#include "parse/utf8.h"

namespace bloomery::spark {
namespace {

using nlohmann::json;

std::string hex(const SecretKey& secret) {
  std::string text;
  for (const std::byte byte : secret) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

// As `path_of` of the package reads it: any bytes can be a path, and only UTF-8 can be JSON.
json path_json(const std::string& path) {
  if (is_utf8(path)) return path;
  return {{"b64", to_base64(path)}};
}

json layout_of(const LayoutOptions& layout) {
  json object = json::object();
  if (layout.format) object["format"] = to_string(*layout.format);
  if (layout.delimiter) {
    object["delimiter"] = fmt::format("\\x{:02x}", static_cast<unsigned char>(*layout.delimiter));
  }
  if (layout.has_header) object["header"] = *layout.has_header;
  if (layout.quotes) object["quotes"] = *layout.quotes;
  return object;
}

Result<json> job_of(const char* name, const JobInput& input, const TaskOptions& tasks,
                    const SparkOptions& options) {
  if (input.layout.multiline) {
    return make_error(ErrorCode::kUnsupported,
                      "--multiline: only the threads engine reads a file as one range");
  }
  json paths = json::array();
  for (const std::string& path : input.paths) {
    if (path == "-") {
      return make_error(ErrorCode::kUnsupported,
                        "standard input: tasks of Spark read ranges of files; give a file, or use "
                        "--engine threads");
    }
    paths.push_back(path_json(path));
  }
  json read{{"max_line", input.max_line},        {"max_groups", input.max_groups},
            {"strict", input.rejects.is_strict}, {"lenient", input.rejects.is_lenient},
            {"max_bad", input.rejects.max_bad},  {"overwrite", input.rejects.overwrite}};
  if (input.rejects.rejects) read["rejects"] = path_json(*input.rejects.rejects);
  json job{{"job", name},
           {"master", options.master},
           {"conf", options.conf},
           {"paths", std::move(paths)},
           {"recipe", to_text(input.recipe)},
           {"layout", layout_of(input.layout)},
           {"options", std::move(read)}};
  if (tasks.tasks) job["tasks"] = *tasks.tasks;
  if (tasks.lines_per_task) job["lines_per_task"] = *tasks.lines_per_task;
  if (options.secret) job["secret"] = hex(*options.secret);
  return job;
}

json filters_of(const SizingRequest& sizing, const SparkOptions& options) {
  json filters{{"fpr", sizing.fpr},
               {"dialect", to_string(sizing.dialect)},
               {"kind", to_string(sizing.kind)},
               {"hash", to_string(sizing.hasher.id())},
               {"seed", sizing.hasher.seed()},
               {"seeds", sizing.seeds}};
  if (sizing.hashes) filters["hashes"] = *sizing.hashes;
  if (sizing.bits) filters["bits"] = *sizing.bits;
  if (sizing.hasher.id() == HashId::kSip && options.secret)
    filters["secret"] = hex(*options.secret);
  return filters;
}

std::string bytes_of(const json& object, const std::string& name) {
  if (object.contains(name)) return object[name].get<std::string>();
  return from_base64(object.at(name + "_b64").get<std::string>()).value();
}

Result<JobFacts> facts_of(const json& object) {
  JobFacts facts;
  auto tally = tally_from_json(object.at("tally").get<std::string>());
  if (!tally) return tally.error();
  facts.tally = *std::move(tally);
  for (const json& input : object.at("inputs")) {
    facts.inputs.push_back({bytes_of(input, "name"), bytes_of(input, "description")});
  }
  facts.engine = "spark";
  facts.tasks = object.at("tasks");
  facts.tasks_note = object.at("tasks_note");
  facts.passes = object.at("passes");
  facts.wall_seconds = object.at("wall_seconds");
  facts.cluster = object.at("master");
  ClusterJob job;
  job.what = object.at("job");
  job.id = object.at("application");
  job.maps = facts.tasks;
  job.reduces = object.at("merge_tasks");
  job.failed_attempts = object.value("failed_tasks", std::uint64_t{0});
  job.map_output_bytes = object.value("shipped_bytes", std::uint64_t{0});
  job.shuffle_bytes = object.value("shuffle_bytes", std::uint64_t{0});
  job.wall_seconds = facts.wall_seconds;
  job.cpu_seconds = object.value("cpu_seconds", 0.0);
  facts.jobs.push_back(std::move(job));
  return facts;
}

Verification verification_of(const json& object) {
  Verification found;
  found.is_ok = object.at("is_ok");
  found.is_exact = object.at("is_exact");
  found.records = object.at("records");
  for (const json& row : object.at("groups")) {
    found.groups.push_back({bytes_of(row, "group"), row.at("members"), row.at("false_negatives"),
                            row.at("negatives"), row.at("false_positives"), row.at("rate"),
                            row.at("low"), row.at("high"), row.at("target"), row.at("predicted"),
                            row.at("is_ok"), row.at("needed_negatives")});
  }
  for (const json& row : object.at("outside")) {
    found.outside[bytes_of(row, "group")] = row.at("records");
  }
  return found;
}

// What came back was made by the package of the same version; anything else shows here.
template <typename Read>
auto guarded(const Read& read) -> decltype(read()) {
  try {
    return read();
  } catch (const std::exception& error) {
    return make_error(ErrorCode::kMismatch,
                      "the result of bloomery.spark: {}; is the package of the same version?",
                      error.what());
  }
}

}  // namespace

Result<PlanResult> run_plan(const PlanJob& job, const SparkOptions& options) {
  auto text = job_of("plan", job.input, job.tasks, options);
  if (!text) return text.error();
  (*text)["filters"] = filters_of(job.sizing, options);
  (*text)["distinct"] = job.distinct;
  const auto answer = run_python(*text, options);
  if (!answer) return answer.error();
  return guarded([&]() -> Result<PlanResult> {
    auto plan = plan_from_json(answer->at("plan").get<std::string>(), "plan", options.secret);
    if (!plan) return plan.error();
    auto facts = facts_of(answer->at("facts"));
    if (!facts) return facts.error();
    return PlanResult{std::move(plan->groups), *std::move(facts)};
  });
}

Result<BuildResult> run_build(const BuildJob& job, const SparkOptions& options) {
  auto text = job_of("build", job.input, job.tasks, options);
  if (!text) return text.error();
  (*text)["filters"] = filters_of(job.sizing, options);
  (*text)["distinct"] = job.distinct;
  (*text)["output"] = path_json(job.output);
  (*text)["overwrite"] = job.overwrite;
  (*text)["strategy"] = to_string(job.strategy.value_or(Strategy::kAuto));
  (*text)["metadata"] = job.metadata;
  if (job.plan) (*text)["plan"] = plan_to_json({*job.plan, to_text(job.input.recipe)});
  const auto answer = run_python(*text, options);
  if (!answer) return answer.error();
  return guarded([&]() -> Result<BuildResult> {
    auto facts = facts_of(answer->at("facts"));
    if (!facts) return facts.error();
    facts->passes_note =
        facts->passes == 1 ? "the executors keep the hashes" : "such filters start from the key";
    const auto plan = plan_from_json(answer->at("plan").get<std::string>(), "plan", options.secret);
    if (!plan) return plan.error();
    auto result = describe_bank(job.output, plan->groups, job.tasks.threads);
    if (!result) return result;
    ShippedBytes shipped;
    shipped.strategy = job.strategy.value_or(Strategy::kAuto);
    shipped.bytes = answer->at("facts").at("shipped_bytes");
    result->shipped = shipped;
    result->facts = *std::move(facts);
    warn_of_repeats(result->groups, result->facts);
    return result;
  });
}

Result<VerifyResult> run_verify(const Bank& bank, const std::string& bank_path,
                                const VerifyJob& job, const SparkOptions& options) {
  auto text = job_of("verify", job.input, job.tasks, options);
  if (!text) return text.error();
  (*text)["bank"] = path_json(bank_path);
  (*text)["sample"] = job.sample;
  const auto answer = run_python(*text, options);
  if (!answer) return answer.error();
  return guarded([&]() -> Result<VerifyResult> {
    auto facts = facts_of(answer->at("facts"));
    if (!facts) return facts.error();
    VerifyResult result{verification_of(answer->at("verification")), *std::move(facts)};
    if (result.verification.groups.size() == bank.entries().size()) return result;
    return make_error(ErrorCode::kMismatch, "{}: was replaced meanwhile", escaped(bank_path, 4096));
  });
}

}  // namespace bloomery::spark
