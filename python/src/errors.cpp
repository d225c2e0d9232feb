#include "errors.h"

#include <regex>

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

// Messages of the core name what to change as the command line has it: --max-bad is max_bad= here.
std::string as_arguments(const std::string& message) {
  static const std::regex kFlag("(^|[^-\\w])--([a-z]+)(?:-([a-z]+))?(?:-([a-z]+))?(?= |,|;|:|$)");
  std::string out;
  auto from = message.cbegin();
  for (std::sregex_iterator found(message.begin(), message.end(), kFlag), end; found != end;
       ++found) {
    const std::smatch& flag = *found;
    out.append(from, flag[0].first);
    out += flag.str(1) + flag.str(2);
    for (const std::size_t part : {3U, 4U}) {
      if (flag[part].matched) out += "_" + flag.str(part);
    }
    out += "=";
    from = flag[0].second;
  }
  return out.append(from, message.cend());
}

}  // namespace

void bind_errors(nb::module_& /*module*/) {
  nb::register_exception_translator([](const std::exception_ptr& pointer, void* /*unused*/) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Failure& failure) {
      const nb::object type =
          nb::module_::import_("bloomery.errors").attr(class_of(failure.error().code));
      PyErr_SetString(type.ptr(), as_arguments(failure.error().message).c_str());
    }
  });
}

}  // namespace bloomery::python
