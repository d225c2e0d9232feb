// How values lie on the axis of a chart, and how its series are told apart: Vega-Lite's encodings.
#pragma once

#include "cli/output/json.h"

namespace bloomery::cli {

struct Axis {
  const char* name;
  const char* title;
  const char* scale;  // how values lie on it
  const char* value;  // how one reads
};

// Ticks are at the values that were tried.
[[nodiscard]] Json x_encoding(const Axis& axis, const Json& values);
[[nodiscard]] Json series_encoding();

}  // namespace bloomery::cli
