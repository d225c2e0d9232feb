#include "engines/open_input.h"

#include <fmt/format.h>

#include "parse/sample.h"

namespace bloomery {

Result<OpenInput> open_input(const JobInput& job, const std::string& path) {
  auto input = Input::open(path);
  if (!input) return input.error();
  std::string sample;
  if (!input->is_mapped()) {
    auto first = input->sample(kSampleBytes);
    if (!first) return first.error();
    sample = *std::move(first);
  }
  const std::string_view text =
      input->is_mapped() ? input->bytes().substr(0, kSampleBytes) : std::string_view(sample);
  auto shape = shape_for(job.recipe, text, job.layout, input->name());
  if (!shape) return shape.error();
  const bool has_mark = text.starts_with(kByteOrderMark);
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
