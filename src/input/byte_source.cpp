#include "input/byte_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace bloomery {

Result<std::size_t> read_full(ByteSource& source, std::span<char> to) {
  std::size_t filled = 0;
  while (filled < to.size()) {
    const auto got = source.read(to.subspan(filled));
    if (!got) return got.error();
    if (*got == 0) break;
    filled += *got;
  }
  return filled;
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (number_ > STDIN_FILENO) close(number_);
}

FileSource::FileSource(FileDescriptor file, std::string name, Progress progress)
    : file_(std::move(file)), name_(std::move(name)), progress_(std::move(progress)) {}

Result<std::size_t> FileSource::read(std::span<char> to) {
  while (true) {
    const ssize_t got = ::read(file_.number(), to.data(), to.size());
    if (got >= 0) {
      progress_->fetch_add(static_cast<std::uint64_t>(got), std::memory_order_relaxed);
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) return errno_error(errno, escaped(name_));
  }
}

Result<std::size_t> PrefixedSource::read(std::span<char> to) {
  if (given_ == prefix_.size()) return rest_->read(to);
  const std::size_t count = std::min(to.size(), prefix_.size() - given_);
  std::memcpy(to.data(), prefix_.data() + given_, count);
  given_ += count;
  if (given_ == prefix_.size()) {
    prefix_ = {};
    given_ = 0;
  }
  return count;
}

}  // namespace bloomery
