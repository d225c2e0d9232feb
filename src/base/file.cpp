#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>

#include "base/error.h"

namespace bloomery {
namespace {

static_assert(sizeof(off_t) == 8, "files above 2 GiB need 64-bit offsets");

bool is_offset(std::uint64_t offset, std::size_t size) noexcept {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
  return offset <= kMax && size <= kMax - offset;
}

Error not_regular(const std::string& path, mode_t mode) {
  if (S_ISDIR(mode)) {
    return make_error(ErrorCode::kInvalidArgument, "{}: is a folder; name a file in it",
                      printable_path(path));
  }
  return make_error(ErrorCode::kInvalidArgument,
                    "{}: is not a regular file; copy its content to a file first",
                    printable_path(path));
}

}  // namespace

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

File::~File() {
  close();
}

int File::close() noexcept {
  const int descriptor = std::exchange(descriptor_, -1);
  // Linux closes the descriptor even when it reports EINTR: calling again could close another's.
  return descriptor < 0 || ::close(descriptor) == 0 || errno == EINTR ? 0 : errno;
}

Result<void> check_path(const std::string& path) {
  if (path.find('\0') == std::string::npos) return {};
  return make_error(ErrorCode::kInvalidArgument,
                    "{}: has a zero byte, which no path can have; name a file without one",
                    printable_path(path));
}

Result<OpenedFile> open_to_read(const std::string& path) {
  if (auto checked = check_path(path); !checked) return checked.error();
  // O_NONBLOCK, because opening a pipe would wait for a writer before it can be refused.
  File file(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  if (!file.is_open()) return errno_error(errno, printable_path(path));
  struct stat status {};
  if (::fstat(file.descriptor(), &status) != 0) return errno_error(errno, printable_path(path));
  if (!S_ISREG(status.st_mode)) return not_regular(path, status.st_mode);
  return OpenedFile{std::move(file), static_cast<std::uint64_t>(status.st_size)};
}

Result<void> read_at(const File& file, std::uint64_t offset, std::span<std::byte> bytes,
                     const std::string& path) {
  if (!is_offset(offset, bytes.size())) return errno_error(EOVERFLOW, printable_path(path));
  while (!bytes.empty()) {
    const ssize_t got = uninterrupted([&] {
      return ::pread(file.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    });
    if (got < 0) return errno_error(errno, printable_path(path));
    if (got == 0) {
      return make_error(ErrorCode::kIo, "{}: ends at byte {}; did it change while it was read?",
                        printable_path(path), offset);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return {};
}

Result<void> write_at(const File& file, std::uint64_t offset, std::span<const std::byte> bytes,
                      const std::string& path) {
  if (!is_offset(offset, bytes.size())) return errno_error(EFBIG, printable_path(path));
  while (!bytes.empty()) {
    const ssize_t put = uninterrupted([&] {
      return ::pwrite(file.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    });
    if (put < 0) return errno_error(errno, printable_path(path));
    // POSIX allows it and says nothing about why; trying for ever would be worse.
    if (put == 0) return errno_error(EIO, printable_path(path));
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
  return {};
}

File open_folder(const std::string& path) noexcept {
  if (path.find('\0') != std::string::npos) {
    errno = EINVAL;
    return {};
  }
  return File(
      uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
}

int flush_folder(const File& folder) noexcept {
  if (uninterrupted([&] { return ::fsync(folder.descriptor()); }) == 0 || errno == EINVAL) return 0;
  return errno;
}

std::string printable_path(const std::string& path) {
  constexpr std::size_t kLongestPath = 4096;
  return escaped(path, kLongestPath);
}

}  // namespace bloomery
