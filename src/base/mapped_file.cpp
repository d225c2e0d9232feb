#include "base/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <limits>

#include "base/error.h"
#include "base/file.h"

namespace bloomery {

Result<MappedFile> MappedFile::open(const std::string& path) {
  const auto opened = open_to_read(path);
  if (!opened) return opened.error();
  if (opened->size == 0) return MappedFile();
  if (opened->size > std::numeric_limits<std::size_t>::max()) {
    return errno_error(EFBIG, printable_path(path));
  }
  const auto size = static_cast<std::size_t>(opened->size);
  const int descriptor = opened->file.descriptor();
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (start == MAP_FAILED) return errno_error(errno, printable_path(path));
  MappedFile mapped({static_cast<const std::byte*>(start), size});

  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return errno_error(errno, printable_path(path));
  if (static_cast<std::uint64_t>(status.st_size) != opened->size) {
    return make_error(ErrorCode::kIo, "{}: changed its size while it was opened; try again",
                      printable_path(path));
  }
  return mapped;
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (bytes_.empty()) return;
  // munmap wants a pointer to what may change; the mapping itself is read-only.
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace bloomery
