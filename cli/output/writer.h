// Bytes to a file descriptor, in large pieces, with the first failure kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "bloomery/result.h"

namespace bloomery::cli {

class Writer {
 public:
  // `name` is for messages: "standard output".
  Writer(int descriptor, std::string name);

  void put(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kBufferBytes) flush();
    buffer_.append(bytes);
    if (buffer_.size() > kBufferBytes) flush();
  }

  // Room for `size` bytes to be filled in place, of which advance() says how many were.
  [[nodiscard]] char* room(std::size_t size);
  void advance(const char* end);

  void flush();
  // Flushes, and fails if anything failed so far. A closed pipe is no failure: nobody wants more.
  Result<void> finish();
  // Nothing that is put any more will arrive.
  [[nodiscard]] bool is_closed() const noexcept { return error_number_ != 0; }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{64} << 10U;

  int descriptor_;
  std::string name_;
  std::string buffer_;
  std::size_t reserved_ = 0;  // where room() was given
  int error_number_ = 0;
};

}  // namespace bloomery::cli
