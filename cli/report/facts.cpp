#include "cli/report/facts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/base64.h"
#include "base/error.h"
#include "base/file.h"

namespace bloomery::cli {
namespace {

struct Known {
  std::string_view schema;
  std::vector<Json> Facts::*list;
  // What no line is without; the schemas in docs/schema say the rest.
  std::vector<std::string_view> members;
};

const std::array<Known, 4>& known_lines() {
  static const std::array<Known, 4> kKnown{
      {{"bloomery/study/1",
        &Facts::runs,
        {"plan", "settings", "repetition", "records", "rejected", "keys", "bits", "tasks",
         "map_output_bytes", "shuffle_bytes", "entropy_bytes", "wall_seconds", "cpu_seconds",
         "peak_memory", "bank_sha256", "groups", "machine", "versions"}},
       {"bloomery/build/1", &Facts::builds, {"groups"}},
       {"bloomery/verify/1", &Facts::verifies, {"groups", "rejected"}},
       {"bloomery/bench/1", &Facts::benches, {}}}};
  return kKnown;
}

}  // namespace

Result<void> add_lines(Facts& facts, std::vector<Json> lines, const std::string& name) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Json schema = lines[i].value("schema", Json(""));
    const auto& all = known_lines();
    const auto known = std::ranges::find_if(
        all, [&](const Known& each) { return schema.is_string() && schema == each.schema; });
    if (known == all.end()) {
      return make_error(ErrorCode::kInvalidArgument,
                        "{}: line {} is not of study, bench, build --json or verify --json",
                        printable_path(name), i + 1);
    }
    for (const std::string_view member : known->members) {
      if (lines[i].contains(std::string(member))) continue;
      return make_error(ErrorCode::kDamaged, "{}: line {}: has no \"{}\", which every {} has",
                        printable_path(name), i + 1, member, known->schema);
    }
    (facts.*known->list).push_back(std::move(lines[i]));
  }
  return {};
}

Result<Facts> facts_of(std::vector<Json> lines, const std::string& name) {
  Facts facts;
  if (const auto added = add_lines(facts, std::move(lines), name); !added) return added.error();
  return facts;
}

Cell bytes_cell(const Json& object, const std::string& name) {
  if (object.contains(name)) return Cell::bytes(object.at(name).get<std::string>());
  const auto bytes = from_base64(object.value(name + "_b64", ""));
  return Cell::bytes(bytes.value_or(""));
}

double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

}  // namespace bloomery::cli
