#include "tasks.h"

#include "task_support.h"

namespace bloomery::python {

void bind_tasks(nanobind::module_& module) {
  bind_inputs(module);
  bind_hash_tasks(module);
  bind_build_tasks(module);
  bind_verify_tasks(module);
}

}  // namespace bloomery::python
