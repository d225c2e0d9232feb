// Many keys, from whatever Python has them in, a chunk at a time.
//
//   takes   anything with the Arrow C interface (pyarrow, polars, pandas, DuckDB), NumPy arrays and
//           other buffers, iterables of keys
//   gives   chunks of keys to a function that runs without the GIL
//
// Strings and binaries of Arrow are never copied. Numbers become text in a buffer of the chunk.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "group/recipe.h"
#include "input/arrow_batches.h"

namespace bloomery::python {

struct KeyChunk {
  std::span<const std::string_view> keys;  // those that are not null
  // For each of them its place among all fields of the chunk, nulls included.
  std::span<const std::uint32_t> places;
  std::size_t fields = 0;
};

// Called without the GIL.
using ChunkSink = std::function<void(const KeyChunk&)>;

// Fields in all: keys and nulls.
std::size_t each_chunk(nanobind::handle source, KeyType type, const ChunkSink& sink);

// The stream of a table-like object; nothing for an object that has none.
[[nodiscard]] std::shared_ptr<ArrowStream> open_stream(nanobind::handle source);

// A record batch as structs of the ABI.
struct TakenBatch {
  OwnedSchema schema;
  OwnedArray array;
};
// Throws TypeError for an object without __arrow_c_array__.
[[nodiscard]] TakenBatch take_batch(nanobind::handle source);

}  // namespace bloomery::python
