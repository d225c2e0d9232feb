#include "engines/facts_json.h"

#include "parse/json_bytes.h"

namespace bloomery {
namespace {

using Json = nlohmann::ordered_json;

Json counts_json(const FileTally& tally) {
  return {{"read", tally.read},       {"used", tally.used},   {"rejected", tally.rejected_total()},
          {"missing", tally.missing}, {"blank", tally.blank}, {"header", tally.header}};
}

Json inputs_json(const JobFacts& facts) {
  Json inputs = Json::array();
  for (std::size_t i = 0; i < facts.inputs.size(); ++i) {
    Json input = Json::object();
    put_bytes(input, "name", facts.inputs[i].name);
    put_bytes(input, "description", facts.inputs[i].description);
    const bool was_read = i < facts.tally.files().size();
    input["records"] = counts_json(was_read ? facts.tally.files()[i] : FileTally{});
    inputs.push_back(std::move(input));
  }
  return inputs;
}

Json rejected_json(const Tally& tally) {
  Json list = Json::array();
  const FileTally total = tally.total();
  for (std::size_t i = 0; i < kRejectKinds; ++i) {
    if (total.rejected[i] == 0) continue;
    const auto category = static_cast<Reject>(i);
    Json samples = Json::array();
    for (const RejectedRecord& record : tally.samples(category)) {
      samples.push_back({{"input", record.file},
                         {"offset", record.offset},
                         {"reason", record.reason},
                         {"text", record.text}});
    }
    list.push_back({{"category", to_string(category)},
                    {"records", total.rejected[i]},
                    {"samples", std::move(samples)}});
  }
  return list;
}

Json jobs_json(const JobFacts& facts) {
  Json list = Json::array();
  for (const ClusterJob& job : facts.jobs) {
    list.push_back({{"what", job.what},
                    {"id", job.id},
                    {"maps", job.maps},
                    {"reduces", job.reduces},
                    {"failed_attempts", job.failed_attempts},
                    {"map_output_bytes", job.map_output_bytes},
                    {"shuffle_bytes", job.shuffle_bytes},
                    {"wall_seconds", job.wall_seconds},
                    {"cpu_seconds", job.cpu_seconds},
                    {"peak_memory", job.peak_memory}});
  }
  return list;
}

}  // namespace

Json facts_json(const JobFacts& facts) {
  Json json{{"inputs", inputs_json(facts)},
            {"records", counts_json(facts.tally.total())},
            {"rejected", rejected_json(facts.tally)},
            {"engine", facts.engine},
            {"passes", facts.passes},
            {"threads", facts.threads},
            {"tasks", facts.tasks},
            {"spilled_bytes", facts.spilled_bytes},
            {"wall_seconds", facts.wall_seconds},
            {"cpu_seconds", facts.cpu_seconds},
            {"peak_memory", facts.peak_memory},
            {"warnings", facts.warnings}};
  if (facts.cluster.empty()) return json;
  json["cluster"] = facts.cluster;
  json["jobs"] = jobs_json(facts);
  return json;
}

}  // namespace bloomery
