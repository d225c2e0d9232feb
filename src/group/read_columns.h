// The columns that a recipe wants, found in Arrow batches and read through a KeyReader.
//
//   takes   a schema and batches, from input/arrow_batches.h
//   gives   what KeyReader gives
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "group/key_reader.h"
#include "group/recipe.h"
#include "input/arrow_batches.h"

namespace bloomery {

class ColumnFinder {
 public:
  // Fails when a column is not there, and then lists those that are. Without a key in the recipe
  // there must be one column, or one besides the group's. `name` is for messages.
  static Result<ColumnFinder> create(const Recipe& recipe, const ArrowSchema& schema,
                                     std::string_view name);

  // The wanted columns of one batch, which must outlive them. Fails for a type that has no text
  // form, and for a batch with nulls above its columns.
  [[nodiscard]] Result<std::vector<ArrowColumn>> columns(const ArrowSchema& schema,
                                                         const ArrowArray& batch) const;

 private:
  struct Place {
    std::size_t child = 0;
    std::string name;
    ColumnUse use = ColumnUse::kKey;
  };
  std::vector<Place> places_;
};

}  // namespace bloomery
