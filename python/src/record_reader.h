// The records of one task, from Arrow batches or from ranges of text files, through one KeyReader.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <filesystem>
#include <optional>

#include "group/key_reader.h"
#include "group/read_columns.h"
#include "group/recipe.h"
#include "key_chunks.h"

namespace bloomery::python {

// Reads without the GIL.
class RecordReader {
 public:
  RecordReader(const Recipe& recipe, ReadOptions options, KeySink sink)
      : recipe_(recipe),
        max_line_(options.max_line),
        reader_(recipe, std::move(options), std::move(sink)) {}

  void read_batch(nanobind::handle batch);
  // A range of a file, or all of one that cannot be cut. `file` is its place in the list of inputs,
  // `shape` what to_text() gave of its shape.
  void read_range(std::uint32_t file, const std::filesystem::path& path,
                  const nanobind::dict& shape, std::optional<std::uint64_t> begin,
                  std::uint64_t end);

  [[nodiscard]] const GroupTable& groups() const noexcept { return reader_.groups(); }
  [[nodiscard]] const Tally& tally() const noexcept { return reader_.tally(); }

 private:
  Recipe recipe_;
  std::uint64_t max_line_;
  KeyReader reader_;
  std::optional<ColumnFinder> finder_;
  std::uint64_t records_ = 0;  // of the batches before
};

// The methods of a task that has a reader().
template <typename Task>
void bind_reading(nanobind::class_<Task>& task) {
  task.def(
      "read_batch", [](Task& self, nanobind::handle batch) { self.reader().read_batch(batch); },
      nanobind::arg("batch"));
  task.def(
      "read_range",
      [](Task& self, std::uint32_t file, const std::filesystem::path& path,
         const nanobind::dict& shape, std::optional<std::uint64_t> begin,
         std::uint64_t end) { self.reader().read_range(file, path, shape, begin, end); },
      nanobind::arg("file"), nanobind::arg("path"), nanobind::arg("shape"),
      nanobind::arg("begin").none(), nanobind::arg("end"));
}

}  // namespace bloomery::python
