// Text files for engines that cut them into ranges: what they look like, and where to cut.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/error.h"
#include "base/parallel.h"
#include "engines/threads/inputs.h"
#include "engines/threads/job.h"
#include "jobs.h"
#include "task_support.h"

namespace nb = nanobind;

namespace bloomery::python {
namespace {

LayoutOptions layout_of(const nb::dict& options) {
  LayoutOptions layout;
  std::string format;
  std::string delimiter;
  take_option(options, "format", format);
  take_option(options, "delimiter", delimiter);
  if (!format.empty()) {
    layout.format = format == "lines"  ? TextFormat::kLines
                    : format == "json" ? TextFormat::kJson
                                       : TextFormat::kDelimited;
  }
  if (!delimiter.empty()) layout.delimiter = unwrap(parse_delimiter(delimiter));
  if (options.contains("header")) layout.has_header = nb::cast<bool>(options["header"]);
  if (options.contains("quotes")) layout.quotes = nb::cast<bool>(options["quotes"]);
  return layout;
}

// A dict with `files` (name, description, shape) and `tasks` (file, begin or None, end), and why
// there are not as many as asked for.
nb::dict cut_inputs(const std::vector<fs::path>& paths, const RecipeText& recipe,
                    const nb::dict& layout, unsigned parallelism,
                    std::optional<std::uint64_t> tasks, std::optional<std::uint64_t> lines) {
  JobInput job;
  for (const fs::path& path : paths) job.paths.push_back(path.string());
  job.recipe = recipe_of(recipe);
  job.layout = layout_of(layout);
  for (const std::string& path : job.paths) {
    if (path != "-") continue;
    throw Failure(make_error(ErrorCode::kUnsupported,
                             "standard input: only the threads engine reads it; name a file that "
                             "every worker can read"));
  }
  TaskOptions options;
  options.tasks = tasks;
  options.lines_per_task = lines;
  unwrap(check_task_options(options));
  JobFacts facts;
  const auto inputs = unwrap(open_inputs(job, facts));
  const auto cut = cut_tasks(inputs, options, parallelism, facts);
  nb::list files;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    files.append(nb::make_tuple(path_text(job.paths[i]), facts.inputs[i].description,
                                to_dict(to_text(inputs[i].shape))));
  }
  nb::list ranges;
  for (const InputTask& task : cut) {
    nb::object begin = nb::none();
    if (task.range) begin = nb::cast(task.range->begin);
    ranges.append(nb::make_tuple(task.file, begin, task.range ? task.range->end : 0));
  }
  nb::dict result;
  result["files"] = files;
  result["tasks"] = ranges;
  result["note"] = facts.tasks_note;
  return result;
}

}  // namespace

void bind_inputs(nb::module_& module) {
  module.def("cut_inputs", &cut_inputs, nb::arg("paths"), nb::arg("recipe"), nb::arg("layout"),
             nb::arg("parallelism"), nb::arg("tasks").none(), nb::arg("lines").none());
}

}  // namespace bloomery::python
