// Errors of the core as Python exceptions: bloomery/errors.py has the classes.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <string>
#include <utility>

#include "bloomery/result.h"

namespace bloomery::python {

// Carries an Error to the border, where it becomes the exception that fits its code.
class Failure : public std::exception {
 public:
  explicit Failure(Error error) : error_(std::move(error)) {}
  [[nodiscard]] const char* what() const noexcept override { return error_.message.c_str(); }
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};

template <typename T>
T unwrap(Result<T> result) {
  if (!result) throw Failure(std::move(result).error());
  return std::move(result).value();
}
inline void unwrap(const Result<void>& result) {
  if (!result) throw Failure(result.error());
}

void bind_errors(nanobind::module_& module);

}  // namespace bloomery::python
