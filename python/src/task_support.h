// What the tasks have in common.
#pragma once

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/jobs.h"
#include "engines/reject_file.h"
#include "errors.h"
#include "group/key_reader.h"
#include "parse/arrow_column.h"
#include "record_reader.h"

namespace bloomery::python {

namespace fs = std::filesystem;

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

// What an option of this type must be, in words.
template <typename T>
constexpr const char* kOptionWords = "a whole number, not negative and not too large";
template <>
inline constexpr const char* kOptionWords<double> = "a number";
template <>
inline constexpr const char* kOptionWords<bool> = "True or False";
template <>
inline constexpr const char* kOptionWords<std::string> = "a str";
template <>
inline constexpr const char* kOptionWords<std::vector<std::uint64_t>> = "a list of whole numbers";
template <>
inline constexpr const char* kOptionWords<std::optional<nanobind::bytes>> = "bytes";

// Takes an option where it is given.
template <typename T>
void take_option(const nanobind::dict& options, const char* name, T& to) {
  if (!options.contains(name)) return;
  const nanobind::object given = options[name];
  if (nanobind::try_cast<T>(given, to)) return;
  // A secret is not for messages.
  const bool is_secret = std::string_view(name) == "secret";
  const std::string shown = is_secret ? "" : nanobind::repr(given).c_str();
  throw nanobind::type_error(
      fmt::format("{}={}: must be {}", name, shown, kOptionWords<T>).c_str());
}

inline ReadOptions read_options(const nanobind::dict& options) {
  ReadOptions read;
  take_option(options, "max_line", read.max_line);
  take_option(options, "max_groups", read.max_groups);
  take_option(options, "strict", read.is_strict);
  return read;
}

// Rejected records of a task, where the job wants them: lines of its reject file, in which the
// number of an input stands for its name, which the driver knows.
class RejectLines {
 public:
  // Has to stay where it is from now on.
  void listen(const nanobind::dict& options, ReadOptions& read) {
    bool is_wanted = false;
    take_option(options, "keeps_rejects", is_wanted);
    if (!is_wanted) return;
    read.on_reject = [this](const RejectedRecord& record) {
      lines_.push_back(reject_line(record, std::to_string(record.file)));
    };
    read.reject_bytes = std::size_t{64} << 10U;
  }
  [[nodiscard]] const std::vector<std::string>& lines() const noexcept { return lines_; }

 private:
  std::vector<std::string> lines_;
};

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

// Inputs of a job, each with what it is.
using InputNames = std::vector<std::pair<fs::path, std::string>>;

inline std::vector<InputFacts> inputs_of(const InputNames& names) {
  std::vector<InputFacts> inputs;
  for (const auto& [path, about] : names) inputs.push_back({path.string(), about});
  return inputs;
}

inline std::vector<std::string> names_of(const InputNames& inputs) {
  std::vector<std::string> names;
  for (const auto& [path, about] : inputs) names.push_back(path.string());
  return names;
}

// A path as Python has them: str, whatever bytes it holds.
inline nanobind::object path_text(const std::string& path) {
  const auto size = static_cast<Py_ssize_t>(path.size());
  return nanobind::steal(PyUnicode_DecodeFSDefaultAndSize(path.data(), size));
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
