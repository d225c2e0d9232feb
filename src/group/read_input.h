// Reads one input, or one range of it, through a KeyReader.
//
//   takes   an Input and its shape
//   gives   what KeyReader gives
#pragma once

#include <cstdint>
#include <optional>

#include "bloomery/result.h"
#include "group/key_reader.h"
#include "input/input.h"
#include "split/ranges.h"

namespace bloomery {

// Reads the records that `range` owns of a mapped input. Requires input.is_mapped() and, for a
// layout with multiline, the range to be the whole file. `reader` has started the file.
Result<void> read_range(const Input& input, ByteRange range, KeyReader& reader);

// Reads all of an input, mapped or not. Compressed input is decompressed by a thread of its own.
Result<void> read_all(Input& input, const FileShape& shape, std::uint64_t max_line,
                      KeyReader& reader);

}  // namespace bloomery
