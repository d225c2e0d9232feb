#include "input/input.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/error.h"
#include "base/file.h"
#include "input/decompress.h"

namespace bloomery {
namespace {

Result<FileDescriptor> open_file(const std::string& path, std::string_view name) {
  if (path == "-") return FileDescriptor(STDIN_FILENO);
  if (auto checked = check_path(path); !checked) return checked.error();
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) return errno_error(errno, escaped(name));
  return FileDescriptor(number);
}

// The first bytes of a regular file, wherever its position stands.
std::string first_bytes(int file) {
  std::array<char, kContentBytes> bytes{};
  const ssize_t got = pread(file, bytes.data(), bytes.size(), 0);
  return {bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

// Standard input may be a file that somebody has read a part of: then it is read on, like a pipe.
bool stands_at_start(int file) noexcept {
  return lseek(file, 0, SEEK_CUR) == 0;
}

}  // namespace

void MapDeleter::operator()(const char* data) const noexcept {
  munmap(const_cast<char*>(data), size);
}

Input::Input(std::string path)
    : path_(std::move(path)),
      name_(path_ == "-" ? "standard input" : path_),
      progress_(std::make_shared<std::atomic<std::uint64_t>>(0)) {}

Result<Input> Input::open(std::string path) {
  Input input(std::move(path));
  auto file = open_file(input.path_, input.name_);
  if (!file) return file.error();
  struct stat status {};
  if (fstat(file->number(), &status) != 0) return errno_error(errno, escaped(input.name_));
  if (S_ISDIR(status.st_mode)) {
    return make_error(ErrorCode::kInvalidArgument, "{}: is a folder; name the files in it",
                      escaped(input.name_));
  }
  if (S_ISREG(status.st_mode) && stands_at_start(file->number())) {
    input.size_ = static_cast<std::uint64_t>(status.st_size);
    input.content_ = recognise(first_bytes(file->number()));
    if (input.content_ == Content::kText) {
      if (const auto mapped = input.map(file->number(), *input.size_); !mapped)
        return mapped.error();
    }
  } else {
    input.next_ = std::make_unique<FileSource>(std::move(*file), input.name_, input.progress_);
    if (const auto started = input.start_stream(); !started) return started.error();
  }
  if (const auto readable = check_readable(input.content_, input.name_); !readable) {
    return readable.error();
  }
  return input;
}

Result<void> Input::map(int file, std::uint64_t size) {
  is_mapped_ = true;
  if (size == 0) return {};
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (data == MAP_FAILED) return errno_error(errno, escaped(name_));
  madvise(data, size, MADV_SEQUENTIAL);
  map_ = {static_cast<const char*>(data), MapDeleter{size}};
  bytes_ = {map_.get(), size};
  return {};
}

// Looks at the first bytes of a pipe, and puts them back.
Result<void> Input::start_stream() {
  std::string first(kContentBytes, '\0');
  const auto got = read_full(*next_, first);
  if (!got) return got.error();
  first.resize(*got);
  content_ = recognise(first);
  next_ = std::make_unique<PrefixedSource>(std::move(first), std::move(next_));
  auto source = decompressed(std::move(next_));
  if (!source) return source.error();
  next_ = std::move(*source);
  return {};
}

Result<std::unique_ptr<ByteSource>> Input::decompressed(std::unique_ptr<ByteSource> source) const {
  switch (content_) {
    case Content::kGzip:
      return gzip_source(std::move(source), name_);
    case Content::kZstd:
      return zstd_source(std::move(source), name_);
    default:
      return source;
  }
}

Result<std::string> Input::sample(std::size_t wanted) {
  if (is_mapped_) return std::string(bytes_.substr(0, wanted));
  auto source = stream();
  if (!source) return source.error();
  std::string first(wanted, '\0');
  const auto got = read_full(**source, first);
  if (!got) return got.error();
  first.resize(*got);
  next_ = std::make_unique<PrefixedSource>(first, std::move(*source));
  return first;
}

Result<std::unique_ptr<ByteSource>> Input::stream() {
  if (next_ != nullptr) return std::move(next_);
  if (!can_reread()) {
    return make_error(ErrorCode::kInvalidArgument, "{}: can be read only once; save it to a file",
                      escaped(name_));
  }
  auto file = open_file(path_, name_);
  if (!file) return file.error();
  // Standard input is one position for all who read it.
  if (path_ == "-" && lseek(file->number(), 0, SEEK_SET) != 0) {
    return errno_error(errno, escaped(name_));
  }
  progress_->store(0);
  return decompressed(std::make_unique<FileSource>(std::move(*file), name_, progress_));
}

}  // namespace bloomery
