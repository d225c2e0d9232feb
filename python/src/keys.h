// A Python object to the bytes of a key.
//
// str is its UTF-8, bytes are themselves, and an int is its decimal text, as it would stand in a
// CSV; with key types u64 and i64 it is 8 bytes, little-endian. docs/python.md, "Keys".
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

#include "group/recipe.h"

namespace bloomery::python {

// None, NaN and pandas.NA: how tables in Python say that there is no value.
[[nodiscard]] bool is_missing(nanobind::handle object);

// Whether the object is one key, and not many.
[[nodiscard]] bool is_one_key(nanobind::handle object);

// The bytes: a view of the object, or of `scratch`. Throws TypeError for an object that is no key.
[[nodiscard]] std::string_view key_bytes(nanobind::handle object, KeyType type,
                                         std::string& scratch);

// Text, of which `scratch` may be the owner, to the 8 bytes of the number it is, in `scratch`.
// Throws ValueError for what is none.
[[nodiscard]] std::string_view number_key(std::string_view text, KeyType type,
                                          std::string& scratch);

[[nodiscard]] KeyType key_type_of(std::string_view name);
[[nodiscard]] const char* key_type_name(KeyType type) noexcept;

// The name of a group: str where it is UTF-8, else bytes.
[[nodiscard]] nanobind::object group_name(std::string_view group);
// And back.
[[nodiscard]] std::string group_bytes(nanobind::handle name);

}  // namespace bloomery::python
