#include "cli/report/facts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/base64.h"
#include "base/error.h"
#include "cli/study/identity.h"
#include "cli/study/run_line.h"

namespace bloomery::cli {
namespace {

struct Known {
  std::string_view schema;
  FactList list;
  // What no line is without; the schemas in docs/schema say the rest.
  std::vector<std::string_view> lists;
};

const std::array<Known, 4>& known_lines() {
  static const std::array<Known, 4> known{
      {{kStudySchema, &Facts::runs, {}},
       {"bloomery/build/1", &Facts::builds, {"groups"}},
       {"bloomery/verify/1", &Facts::verifies, {"groups", "rejected"}},
       {"bloomery/bench/1", &Facts::benches, {}}}};
  return known;
}

}  // namespace

Result<FactList> add_line(Facts& facts, Json line) {
  const Json schema = line.value("schema", Json(""));
  const auto& all = known_lines();
  const auto* const known = std::ranges::find_if(
      all, [&](const Known& each) { return schema.is_string() && schema == each.schema; });
  if (known == all.end()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "is not of study, bench, build --json or verify --json");
  }
  if (known->list == &Facts::runs) {
    if (const auto fine = check_run_line(line); !fine) return fine.error();
  }
  for (const std::string_view member : known->lists) {
    if (line.value(std::string(member), Json()).is_array()) continue;
    return make_error(ErrorCode::kDamaged, "has no \"{}\", which every {} has", member,
                      known->schema);
  }
  (facts.*known->list).push_back(std::move(line));
  return known->list;
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
