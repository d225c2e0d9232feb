#include "cli/report/axis.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {
namespace {

constexpr const char* kBest = "optimal";

}  // namespace

Json x_encoding(const Axis& axis, const Json& values) {
  Json x = {{"field", "x"}, {"title", axis.title}};
  if (std::string_view(axis.scale) == "ordinal") {
    // What has no number comes last.
    std::vector<std::string> order;
    for (const Json& value : values) {
      const std::string text = value.at("x");
      if (std::ranges::find(order, text) == order.end()) order.push_back(text);
    }
    std::stable_partition(order.begin(), order.end(),
                          [](const std::string& text) { return text != kBest; });
    x["type"] = "ordinal";
    x["sort"] = order;
    x["axis"] = {{"labelAngle", 0}};
    return x;
  }
  std::set<double> ticks;
  for (const Json& value : values) ticks.insert(value.at("x").get<double>());
  x["type"] = "quantitative";
  x["axis"] = {{"values", ticks}, {"format", "~g"}, {"grid", false}};
  x["scale"] = {{"type", axis.scale}, {"nice", false}, {"padding", 14}};
  if (std::string_view(axis.scale) == "linear") x["scale"]["zero"] = false;
  return x;
}

Json series_encoding() {
  return {{"field", "series"}, {"type", "nominal"}, {"title", nullptr}};
}

}  // namespace bloomery::cli
