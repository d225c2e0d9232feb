#include "engines/open_input.h"

#include <fmt/format.h>

#include "parse/sample.h"

namespace bloomery {

Result<OpenInput> open_input(const JobInput& job, const std::string& path) {
  auto input = Input::open(path);
  if (!input) return input.error();
  const auto sample =
      read_sample(job.max_line, [&](std::size_t bytes) { return input->sample(bytes); });
  if (!sample) return sample.error();
  auto shape = shape_for(job.recipe, *sample, job.layout, input->name());
  if (!shape) return shape.error();
  const bool has_mark = sample->starts_with(kByteOrderMark);
  return OpenInput{*std::move(input), *std::move(shape), has_mark};
}

InputFacts describe(const OpenInput& input) {
  std::string description = describe(input.shape);
  if (input.input.content() != Content::kText) {
    description = fmt::format("{}, {}", to_string(input.input.content()), description);
  }
  return {input.input.name(), std::move(description)};
}

}  // namespace bloomery
