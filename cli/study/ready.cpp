#include <array>

#include "cli/embedded.h"
#include "cli/study/plan.h"

namespace bloomery::cli {
namespace {

struct Ready {
  std::string_view name;
  std::string_view (*text)();
};
constexpr std::array kReady{Ready{"pisa", &embedded::pisa_plan},
                            Ready{"pisa-cluster", &embedded::pisa_cluster_plan}};

}  // namespace

std::vector<std::string> ready_plan_names() {
  std::vector<std::string> names;
  names.reserve(kReady.size());
  for (const Ready& ready : kReady) names.emplace_back(ready.name);
  return names;
}

std::string_view ready_plan(std::string_view name) {
  for (const Ready& ready : kReady) {
    if (ready.name == name) return ready.text();
  }
  return {};
}

}  // namespace bloomery::cli
