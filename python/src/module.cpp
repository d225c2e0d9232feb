// bloomery._core: the core for Python. Everything here only turns types into types.
#include <nanobind/nanobind.h>

#include "bank.h"
#include "bloomery/version.h"
#include "errors.h"
#include "filter.h"
#include "jobs.h"
#include "tasks.h"

NB_MODULE(_core, module) {
  module.attr("version") = BLOOMERY_VERSION;
  bloomery::python::bind_errors(module);
  bloomery::python::bind_filter(module);
  bloomery::python::bind_bank(module);
  bloomery::python::bind_jobs(module);
  bloomery::python::bind_tasks(module);
}
