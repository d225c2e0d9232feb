// The Python class Bank: an open bank, and what its keys are.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bloomery/bank.h"
#include "group/recipe.h"
#include "memory_bank.h"

namespace bloomery::python {

struct PyBank {
  Bank bank;
  std::string path;                          // empty for one in memory
  std::shared_ptr<const MemoryBank> memory;  // what such a one is made of
  KeyType key_type = KeyType::kText;
  std::optional<SecretKey> secret;
};

PyBank open_bank(const std::string& path, const std::optional<SecretKey>& secret, bool load);

void bind_bank(nanobind::module_& module);

}  // namespace bloomery::python
