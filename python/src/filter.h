// The Python class Filter: one filter, a lock around it, and what a key is.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>

#include "bloomery/bank.h"
#include "bloomery/filter.h"
#include "group/recipe.h"

namespace bloomery::python {

// Threads of Python may use one filter at once: those that ask share the lock, those that change
// have it alone. Nobody waits for the lock while holding the GIL, so the two cannot wait for each
// other.
struct PyFilter {
  PyFilter(Filter made, KeyType type, std::uint64_t keys, std::optional<SecretKey> key)
      : filter(std::move(made)), key_type(type), count(keys), secret(key) {}

  Filter filter;
  KeyType key_type;
  std::atomic<std::uint64_t> count;  // keys inserted, repeats included; read without the lock
  std::optional<SecretKey> secret;
  mutable std::shared_mutex mutex;
};

// Answers for many keys as a NumPy array of bool; false for nulls. The view must stay.
nanobind::object ask_many(const FilterView& view, KeyType type, nanobind::handle keys,
                          unsigned threads, std::shared_mutex* mutex);

// What len() says. Fails for a full filter, whose estimate is infinite.
std::size_t estimated_size(double keys);

// A new array of bool that NumPy owns, and where its values are.
struct BoolArray {
  nanobind::object array;
  bool* values = nullptr;
};
BoolArray make_bool_array(const std::vector<std::uint8_t>& values);

void bind_filter(nanobind::module_& module);

}  // namespace bloomery::python
