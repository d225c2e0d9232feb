#include "errors.h"

namespace nb = nanobind;

namespace bloomery::python {
namespace {

const char* class_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "InvalidError";
    case ErrorCode::kNotFound:
      return "NotFoundError";
    case ErrorCode::kDamaged:
      return "DamagedError";
    case ErrorCode::kUnsupported:
      return "UnsupportedError";
    case ErrorCode::kMismatch:
      return "MismatchError";
    case ErrorCode::kExists:
      return "ExistsError";
    case ErrorCode::kIo:
      return "IoError";
    case ErrorCode::kResource:
      return "ResourceError";
  }
  return "Error";
}

}  // namespace

void bind_errors(nb::module_& /*module*/) {
  nb::register_exception_translator([](const std::exception_ptr& pointer, void* /*unused*/) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Failure& failure) {
      const nb::object type =
          nb::module_::import_("bloomery.errors").attr(class_of(failure.error().code));
      PyErr_SetString(type.ptr(), failure.error().message.c_str());
    }
  });
}

}  // namespace bloomery::python
