// The records of one task, from Arrow batches or from ranges of text files, through one KeyReader.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "group/key_reader.h"
#include "group/read_columns.h"
#include "group/recipe.h"
#include "key_chunks.h"

namespace bloomery::python {

// A range of a file, or all of one that cannot be cut.
struct FileRange {
  std::uint32_t file = 0;  // its place in the list of inputs
  std::string path;
  RecipeText shape;  // to_text() of its shape
  std::optional<std::uint64_t> begin;
  std::uint64_t end = 0;
};

class RecordReader {
 public:
  RecordReader(const Recipe& recipe, ReadOptions options, KeySink sink)
      : recipe_(recipe),
        max_line_(options.max_line),
        reader_(recipe, std::move(options), std::move(sink)) {}

  // `first` is the number of the batch's first record in the task.
  void read_batch(const TakenBatch& batch, std::uint64_t first);
  void read_range(const FileRange& range);

  [[nodiscard]] const GroupTable& groups() const noexcept { return reader_.groups(); }
  [[nodiscard]] const Tally& tally() const noexcept { return reader_.tally(); }

 private:
  Recipe recipe_;
  std::uint64_t max_line_;
  KeyReader reader_;
  std::optional<ColumnFinder> finder_;
};

}  // namespace bloomery::python
