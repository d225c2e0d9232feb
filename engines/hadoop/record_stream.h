// The records between Hadoop and a worker: Streaming's "rawbytes".
//
//   takes   a file descriptor
//   gives   pairs of key and value, in both directions
//
// On the wire: length of the key (4 bytes, big-endian), key, length of the value, value. Hadoop
// takes an output that ends inside the first length for a complete one, so nobody may rely on the
// end of a stream: trailers.h says what must have come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "bloomery/result.h"
#include "engines/hadoop/lookahead.h"
#include "input/byte_source.h"

namespace bloomery::hadoop {

struct Record {
  std::string_view key;
  std::string_view value;
};

// Takes one record; an error ends the task.
class RecordSink {
 public:
  RecordSink() = default;
  RecordSink(const RecordSink&) = delete;
  RecordSink& operator=(const RecordSink&) = delete;
  virtual ~RecordSink() = default;
  virtual Result<void> put(std::string_view key, std::string_view value) = 0;
};

class RecordWriter : public RecordSink {
 public:
  explicit RecordWriter(int descriptor) : descriptor_(descriptor) {}

  Result<void> put(std::string_view key, std::string_view value) override;
  // What is still held. Call it once, at the end.
  Result<void> flush();

 private:
  int descriptor_;
  std::string buffer_;
};

class RecordReader {
 public:
  explicit RecordReader(std::unique_ptr<ByteSource> source) : bytes_(std::move(source)) {}

  // The next record, good until the next call; nothing at the end. Fails for an end inside a
  // record.
  Result<std::optional<Record>> next();

 private:
  Result<std::string_view> take(std::size_t count);
  Result<std::uint32_t> take_length();

  Lookahead bytes_;
  std::string key_;
};

}  // namespace bloomery::hadoop
