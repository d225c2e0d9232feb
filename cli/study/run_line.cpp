#include "cli/study/run_line.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <thread>

#include "cli/machine.h"
#include "engines/job_clock.h"

namespace bloomery::cli {
namespace {

double sum_of(const Json& list, const char* member) {
  double sum = 0;
  for (const Json& each : list) sum += each.at(member).get<double>();
  return sum;
}

std::uint64_t count_of(const Json& list, const char* member) {
  std::uint64_t sum = 0;
  for (const Json& each : list) sum += each.at(member).get<std::uint64_t>();
  return sum;
}

// Of the job that ships filters; plan and verify have jobs of their own.
Json build_job_sum(const Json& built, const char* member) {
  if (!built.contains("jobs")) return nullptr;
  std::uint64_t sum = 0;
  for (const Json& job : built["jobs"]) {
    if (job.at("what") == "build") sum += job.at(member).get<std::uint64_t>();
  }
  return sum;
}

Json rejected_json(const Json& built) {
  Json list = Json::array();
  for (const Json& each : built.at("rejected")) {
    list.push_back({{"category", each.at("category")}, {"records", each.at("records")}});
  }
  return list;
}

}  // namespace

void add_build(Json& line, const Json& built) {
  Json inputs = Json::array();
  for (const Json& each : built.at("inputs")) {
    Json input = Json::object();
    for (const char* name : {"name", "name_b64", "description", "description_b64"}) {
      if (each.contains(name)) input[name] = each[name];
    }
    inputs.push_back(std::move(input));
  }
  line["inputs"] = std::move(inputs);
  line["records"] = built.at("records");
  line["rejected"] = rejected_json(built);
  line["keys"] = count_of(built.at("groups"), "keys");
  line["bits"] = count_of(built.at("groups"), "bits");
  line["bank_bytes"] = built.at("bytes");
  line["tasks"] = built.at("tasks");
  line["threads"] = built.at("threads");
  line["map_output_bytes"] = built.value("shipped_bytes", Json(nullptr));
  line["shuffle_bytes"] = build_job_sum(built, "shuffle_bytes");
  line["entropy_bytes"] = built.contains("shipped") && !built["shipped"].empty()
                              ? Json(sum_of(built["shipped"], "entropy_bytes"))
                              : Json(nullptr);
  line["peak_memory"] = built.at("peak_memory");
  line["cluster"] = built.value("cluster", Json(nullptr));
  line["jobs"] = built.value("jobs", Json::array());
}

Json groups_json(const Json& built, const Json& verified) {
  Json groups = built.at("groups");
  if (verified.is_null()) return groups;
  const Json& counts = verified.at("groups");
  for (std::size_t i = 0; i < groups.size() && i < counts.size(); ++i) {
    for (const auto& [name, value] : counts[i].items()) groups[i][name] = value;
  }
  return groups;
}

std::string now_text() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

Json machine_json() {
  return {{"processor", processor()},
          {"threads", std::thread::hardware_concurrency()},
          {"memory", memory_limit().bytes},
          {"system", operating_system()}};
}

Json versions_json() {
  return {{"bloomery", version()}, {"commit", commit()}, {"compiler", compiler()}};
}

}  // namespace bloomery::cli
