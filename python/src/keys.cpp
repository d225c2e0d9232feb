#include "keys.h"

#include <charconv>
#include <cstring>

#include "base/endian.h"
#include "base/error.h"
#include "errors.h"
#include "group/key_reader.h"
#include "parse/utf8.h"

namespace nb = nanobind;

namespace bloomery::python {
namespace {

std::string_view bytes_of(nb::handle object) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(object.ptr(), &data, &size) != 0) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}

std::string_view utf8_of(nb::handle object) {
  Py_ssize_t size = 0;
  const char* const data = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (data == nullptr) throw nb::python_error();  // a lone surrogate
  return {data, static_cast<std::size_t>(size)};
}

std::string_view eight_bytes(std::uint64_t number, std::string& scratch) {
  scratch.resize(sizeof number);
  store_le(scratch.data(), number);
  return scratch;
}

std::string_view whole_number(nb::handle object, KeyType type, std::string& scratch) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0 || (type == KeyType::kU64 && number < 0)) {
    const auto text = nb::steal(PyNumber_ToBase(object.ptr(), 10));
    if (!text.is_valid()) throw nb::python_error();
    if (type != KeyType::kText) return number_key(utf8_of(text), type, scratch);
    scratch = utf8_of(text);
    return scratch;
  }
  if (type != KeyType::kText) return eight_bytes(static_cast<std::uint64_t>(number), scratch);
  scratch.resize(24);
  const auto end = std::to_chars(scratch.data(), scratch.data() + scratch.size(), number);
  scratch.resize(static_cast<std::size_t>(end.ptr - scratch.data()));
  return scratch;
}

// A NumPy integer is no int, but says what it is as one.
bool is_integral(nb::handle object) {
  return PyIndex_Check(object.ptr()) != 0 && !PyBool_Check(object.ptr());
}

}  // namespace

bool is_missing(nb::handle object) {
  if (is_one_key(object)) return false;
  if (object.is_none()) return true;
  if (PyFloat_Check(object.ptr())) {
    const double value = PyFloat_AsDouble(object.ptr());
    return value != value;
  }
  return std::strcmp(nb::type_name(object.type()).c_str(), "pandas._libs.missing.NAType") == 0;
}

bool is_one_key(nb::handle object) {
  return PyUnicode_Check(object.ptr()) || PyBytes_Check(object.ptr()) ||
         PyLong_Check(object.ptr()) || PyByteArray_Check(object.ptr());
}

std::string_view number_key(std::string_view text, KeyType type, std::string& scratch) {
  scratch.assign(text);
  if (make_number_key(type, scratch)) return scratch;
  throw Failure(make_error(
      ErrorCode::kInvalidArgument, "key \"{}\": not a number {}, as key type {} needs",
      escaped(text, 40), type == KeyType::kU64 ? "below 2^64" : "of 64 bits", key_type_name(type)));
}

std::string_view key_bytes(nb::handle object, KeyType type, std::string& scratch) {
  PyObject* const pointer = object.ptr();
  std::string_view text;
  if (PyUnicode_Check(pointer)) {
    text = utf8_of(object);
  } else if (PyBytes_Check(pointer)) {
    text = bytes_of(object);
  } else if (PyLong_Check(pointer) && !PyBool_Check(pointer)) {
    return whole_number(object, type, scratch);
  } else if (PyByteArray_Check(pointer)) {
    // A copy: its owner may change it before the key is hashed.
    scratch.assign(PyByteArray_AsString(pointer),
                   static_cast<std::size_t>(PyByteArray_Size(pointer)));
    if (type == KeyType::kText) return scratch;
    return number_key(std::string(scratch), type, scratch);
  } else if (is_integral(object)) {
    const auto number = nb::steal(PyNumber_Index(pointer));
    if (!number.is_valid()) throw nb::python_error();
    return whole_number(number, type, scratch);
  } else {
    const std::string name = nb::type_name(object.type()).c_str();
    throw nb::type_error(
        is_missing(object)
            ? "a null is no key; update() counts nulls and leaves them out"
            : ("a key is str, bytes or int, not " + name + "; turn it into one of them").c_str());
  }
  return type == KeyType::kText ? text : number_key(text, type, scratch);
}

KeyType key_type_of(std::string_view name) {
  if (name == "text") return KeyType::kText;
  if (name == "u64") return KeyType::kU64;
  if (name == "i64") return KeyType::kI64;
  throw Failure(make_error(ErrorCode::kInvalidArgument, "key_type \"{}\": must be text, u64 or i64",
                           escaped(name)));
}

const char* key_type_name(KeyType type) noexcept {
  if (type == KeyType::kText) return "text";
  return type == KeyType::kU64 ? "u64" : "i64";
}

nb::object group_name(std::string_view group) {
  if (is_utf8(group)) return nb::str(group.data(), group.size());
  return nb::bytes(group.data(), group.size());
}

std::string group_bytes(nb::handle name) {
  std::string scratch;
  return std::string(key_bytes(name, KeyType::kText, scratch));
}

}  // namespace bloomery::python
