// What the tasks have in common.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "errors.h"
#include "group/key_reader.h"
#include "parse/arrow_column.h"
#include "record_reader.h"

namespace bloomery::python {

inline nanobind::bytes bytes_of(std::span<const std::byte> bytes) {
  return nanobind::bytes(bytes.data(), bytes.size());
}
inline nanobind::bytes bytes_of(std::string_view text) {
  return nanobind::bytes(text.data(), text.size());
}
inline std::span<const std::byte> span_of(const nanobind::bytes& bytes) {
  return {static_cast<const std::byte*>(bytes.data()), bytes.size()};
}
inline std::string_view view_of(const nanobind::bytes& bytes) {
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}

// Takes an option where it is given.
template <typename T>
void take_option(const nanobind::dict& options, const char* name, T& to) {
  if (options.contains(name)) to = nanobind::cast<T>(options[name]);
}

inline ReadOptions read_options(const nanobind::dict& options) {
  ReadOptions read;
  take_option(options, "max_line", read.max_line);
  take_option(options, "max_groups", read.max_groups);
  take_option(options, "strict", read.is_strict);
  return read;
}

// Texts whose values are any bytes, such as the header of a file.
inline nanobind::dict to_dict(const RecipeText& texts) {
  nanobind::dict dict;
  for (const auto& [name, text] : texts) dict[name.c_str()] = bytes_of(std::string_view(text));
  return dict;
}
inline RecipeText from_dict(const nanobind::dict& dict) {
  RecipeText texts;
  for (const auto& [name, text] : dict) {
    texts[nanobind::cast<std::string>(name)] = view_of(nanobind::cast<nanobind::bytes>(text));
  }
  return texts;
}

// A column of a batch by its place.
inline ArrowColumn column_of(const TakenBatch& batch, std::size_t place) {
  return unwrap(ArrowColumn::create(*batch.schema->children[place], *batch.array->children[place],
                                    "task rows", ColumnUse::kKey));
}

void bind_hash_tasks(nanobind::module_& module);
void bind_build_tasks(nanobind::module_& module);
void bind_verify_tasks(nanobind::module_& module);
void bind_inputs(nanobind::module_& module);

}  // namespace bloomery::python
