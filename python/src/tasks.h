// Map and reduce tasks of the three jobs, for engines whose tasks are Python processes: Spark.
#pragma once

#include <nanobind/nanobind.h>

namespace bloomery::python {

void bind_tasks(nanobind::module_& module);

}  // namespace bloomery::python
