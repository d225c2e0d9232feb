// The buffer between a compressed source and its decompressor, which knows where in the file it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "input/byte_source.h"

namespace bloomery {

// Of every member.
inline constexpr char kGzipStart = '\x1f';

class CompressedBytes {
 public:
  CompressedBytes(std::unique_ptr<ByteSource> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)), buffer_(kBufferBytes) {}

  // What has not been consumed. Empty only before the first fill() and at the end.
  [[nodiscard]] std::span<char> rest() noexcept {
    return std::span(buffer_).subspan(begin_, end_ - begin_);
  }
  void consume(std::size_t count) noexcept { begin_ += count; }

  // Gets more bytes if there are none left. False at the end of the source.
  Result<bool> fill() {
    if (begin_ < end_) return true;
    offset_ += end_;
    begin_ = 0;
    end_ = 0;
    const auto got = source_->read(buffer_);
    if (!got) return got.error();
    end_ = *got;
    return end_ > 0;
  }

  // Where rest() begins in the compressed file.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_ + begin_; }

  [[nodiscard]] Error damaged(std::string_view format, std::string_view what) const {
    return make_error(ErrorCode::kDamaged, "{}: damaged {} at byte {}: {}; restore a good copy",
                      escaped(name_), format, offset(), what);
  }
  [[nodiscard]] Error unsupported(std::string_view format, std::string_view what) const {
    return make_error(ErrorCode::kUnsupported, "{}: {} at byte {}: {}", escaped(name_), format,
                      offset(), what);
  }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{128} << 10U;

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace bloomery
