#include "cli/output/writer.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error.h"
#include "base/file.h"

namespace bloomery::cli {

Writer::Writer(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {
  buffer_.reserve(2 * kBufferBytes);
}

char* Writer::room(std::size_t size) {
  if (buffer_.size() + size > kBufferBytes) flush();
  reserved_ = buffer_.size();
  buffer_.resize(reserved_ + size);
  return buffer_.data() + reserved_;
}

void Writer::advance(const char* end) {
  buffer_.resize(static_cast<std::size_t>(end - buffer_.data()));
}

void Writer::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && error_number_ == 0) {
    const auto written =
        uninterrupted([&] { return ::write(descriptor_, rest.data(), rest.size()); });
    if (written < 0) {
      error_number_ = errno;
    } else {
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  buffer_.clear();
}

Result<void> Writer::finish() {
  flush();
  if (error_number_ == 0 || error_number_ == EPIPE) return {};
  return errno_error(error_number_, name_);
}

}  // namespace bloomery::cli
