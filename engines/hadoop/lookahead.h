// Bytes of a source, as many at a time as a reader of records asks for.
//
//   takes   a source, and lengths that may be lies
//   gives   that many bytes in one piece, if the source has them
//
// It never holds more than has come and the next read: what a length claims is not allocated
// before.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "bloomery/result.h"
#include "input/byte_source.h"

namespace bloomery::hadoop {

class Lookahead {
 public:
  explicit Lookahead(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  // Whether `count` bytes are there to be taken; fewer are only at the end of the source.
  Result<bool> fill(std::size_t count);
  // After fill(count). Good until the next fill().
  std::string_view take(std::size_t count) noexcept;

 private:
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t read_bytes_ = std::size_t{4} << 10U;  // more as long as they come
};

}  // namespace bloomery::hadoop
