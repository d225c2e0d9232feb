// Reads a text through the whole of the input layers, for tests.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "group/key_reader.h"
#include "split/ranges.h"

namespace bloomery {

struct Reading {
  std::vector<std::pair<std::string, std::string>> keys;  // key, group
  std::vector<std::string> records;
  Tally tally;
  std::string error;
};

inline Reading failed_reading(const Error& error) {
  Reading reading;
  reading.error = error.message;
  return reading;
}

// Several ranges, each by a reader of its own, as tasks do.
inline Reading read_text(std::string_view text, const RecipeText& recipe_text,
                         const std::vector<ByteRange>& ranges, ReadOptions options = {},
                         const LayoutOptions& layout = {}) {
  Reading reading;
  const auto recipe = parse_recipe(recipe_text);
  if (!recipe) return failed_reading(recipe.error());
  const auto shape = shape_for(*recipe, text.substr(0, kSampleBytes), layout, "file");
  if (!shape) return failed_reading(shape.error());
  options.keeps_records = true;
  for (const ByteRange& range : ranges) {
    const KeyReader* self = nullptr;
    KeyReader reader(*recipe, options, [&](const KeyBatch& batch) -> Result<void> {
      for (std::size_t i = 0; i < batch.keys.size(); ++i) {
        reading.keys.emplace_back(batch.keys[i], self->groups().name(batch.groups[i]));
        reading.records.emplace_back(batch.records[i]);
      }
      return {};
    });
    self = &reader;
    reader.start_file(0, "file", *shape);
    const ByteRange owned = owned_records(text, range);
    const auto done = reader.read(text.substr(owned.begin, owned.size()), owned.begin);
    if (!done) return failed_reading(done.error());
    if (const auto merged = reading.tally.merge(reader.tally()); !merged) {
      return failed_reading(merged.error());
    }
  }
  return reading;
}

inline Reading read_text(std::string_view text, const RecipeText& recipe, ReadOptions options = {},
                         const LayoutOptions& layout = {}) {
  return read_text(text, recipe, {{0, text.size()}}, std::move(options), layout);
}

using Keys = std::vector<std::pair<std::string, std::string>>;

inline std::uint64_t rejected(const Reading& reading, Reject category) {
  return reading.tally.total().rejected[static_cast<std::size_t>(category)];
}

}  // namespace bloomery
