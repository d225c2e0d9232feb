#include "cli/study/run_line.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <span>
#include <thread>
#include <utility>

#include "base/error.h"
#include "cli/machine.h"
#include "cli/study/identity.h"
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

// As text, or in base64 where it is none.
std::pair<std::string, std::string> group_name(const Json& row) {
  return {row.value("group", ""), row.value("group_b64", "")};
}

using IsType = bool (*)(const Json&);
bool is_text(const Json& value) {
  return value.is_string();
}
bool is_count(const Json& value) {
  return value.is_number_unsigned();
}
bool is_amount(const Json& value) {
  return value.is_number() && value >= 0;
}
bool is_maybe_count(const Json& value) {
  return value.is_null() || is_count(value);
}
bool is_maybe_amount(const Json& value) {
  return value.is_null() || is_amount(value);
}
bool is_object(const Json& value) {
  return value.is_object();
}
bool is_list(const Json& value) {
  return value.is_array();
}
bool is_maybe_list(const Json& value) {
  return value.is_null() || value.is_array();
}

struct Member {
  const char* name;
  IsType is_right;
};
constexpr std::array kLine{Member{"plan", is_text},
                           Member{"title", is_text},
                           Member{"inputs", is_list},
                           Member{"settings", is_object},
                           Member{"repetition", is_count},
                           Member{"records", is_object},
                           Member{"rejected", is_list},
                           Member{"keys", is_count},
                           Member{"bits", is_count},
                           Member{"tasks", is_count},
                           Member{"map_output_bytes", is_maybe_count},
                           Member{"shuffle_bytes", is_maybe_count},
                           Member{"entropy_bytes", is_maybe_amount},
                           Member{"wall_seconds", is_amount},
                           Member{"cpu_seconds", is_amount},
                           Member{"verify_seconds", is_maybe_amount},
                           Member{"peak_memory", is_count},
                           Member{"bank_sha256", is_text},
                           Member{"groups", is_maybe_list},
                           Member{"machine", is_object},
                           Member{"versions", is_object}};
constexpr std::array kSettings{Member{"fpr", is_amount},         Member{"hashes", is_maybe_count},
                               Member{"kind", is_text},          Member{"engine", is_text},
                               Member{"strategy", is_text},      Member{"tasks", is_maybe_count},
                               Member{"threads", is_maybe_count}};

Result<void> check_members(const Json& object, std::span<const Member> members) {
  for (const Member& member : members) {
    const auto found = object.find(member.name);
    if (found == object.end()) {
      return make_error(ErrorCode::kDamaged, "has no \"{}\", which every {} has", member.name,
                        kStudySchema);
    }
    if (!member.is_right(*found)) {
      return make_error(ErrorCode::kDamaged, "\"{}\" is not as docs/schema/study.json has it",
                        member.name);
    }
  }
  return {};
}

}  // namespace

Result<void> check_run_line(const Json& line) {
  if (auto fine = check_members(line, kLine); !fine) return fine;
  return check_members(line.at("settings"), kSettings);
}

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

Result<Json> groups_json(const Json& built, const Json& verified) {
  Json groups = built.at("groups");
  if (verified.is_null()) return groups;
  const Json& counts = verified.at("groups");
  if (!std::ranges::equal(groups, counts, {}, group_name, group_name)) {
    return make_error(ErrorCode::kDamaged, "verify counted other groups than build made");
  }
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].update(counts[i]);
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
