// Reads what a job wrote: Hadoop's SequenceFile of BytesWritable keys and values, not compressed.
//
//   takes   a file, or bytes that may be anything
//   gives   its records
//
// The layout: "SEQ", version 6, the names of two classes, flags for compression, metadata, a marker
// of 16 bytes; then records of length, length of the key, key and value, with the marker in between
// now and then. Every length is checked before it is used.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bloomery/result.h"
#include "engines/hadoop/lookahead.h"
#include "engines/hadoop/record_stream.h"
#include "input/byte_source.h"

namespace bloomery::hadoop {

class SequenceFileReader {
 public:
  // Reads the head. Fails for anything but the form above. `name` is for messages.
  static Result<SequenceFileReader> open(std::unique_ptr<ByteSource> source, std::string name);

  // The next record, good until the next call; nothing at the end.
  Result<std::optional<Record>> next();

 private:
  SequenceFileReader(std::unique_ptr<ByteSource> source, std::string name)
      : bytes_(std::move(source)), name_(std::move(name)) {}

  [[nodiscard]] Error damaged(std::string_view what) const;
  // Fails at an earlier end.
  Result<std::string_view> take(std::size_t count);
  Result<std::int32_t> take_int();
  Result<std::int64_t> take_vint();
  Result<std::string> take_text();
  Result<void> read_head();

  Lookahead bytes_;
  std::string name_;
  std::string marker_;
};

}  // namespace bloomery::hadoop
