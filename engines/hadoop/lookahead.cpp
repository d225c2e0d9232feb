#include "engines/hadoop/lookahead.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace bloomery::hadoop {
namespace {

constexpr std::size_t kMaxReadBytes = std::size_t{1} << 20U;

}  // namespace

Result<bool> Lookahead::fill(std::size_t count) {
  if (end_ - begin_ >= count) return true;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  while (end_ < count) {
    if (buffer_.size() < end_ + read_bytes_) buffer_.resize(end_ + read_bytes_);
    const auto got = source_->read(std::span(buffer_).subspan(end_, read_bytes_));
    if (!got) return got.error();
    if (*got == 0) return false;
    end_ += *got;
    if (*got == read_bytes_) read_bytes_ = std::min(2 * read_bytes_, kMaxReadBytes);
  }
  return true;
}

std::string_view Lookahead::take(std::size_t count) noexcept {
  const std::string_view bytes(buffer_.data() + begin_, count);
  begin_ += count;
  return bytes;
}

}  // namespace bloomery::hadoop
