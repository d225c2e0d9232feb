#include "base/scratch_file.h"

#include <fcntl.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkostemp() is not in <cstdlib>
#include <unistd.h>

#include "base/error.h"

namespace bloomery {

Result<File> open_scratch_file(const std::string& folder) {
  if (auto checked = check_path(folder); !checked) return checked.error();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
  const auto open_nameless = [&] {
    return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  };
  if (const int descriptor = uninterrupted(open_nameless); descriptor >= 0) return File(descriptor);
  // Some file systems know no files without a name, and old kernels take the folder for a file.
  if (errno != EOPNOTSUPP && errno != EISDIR) {
    return errno_error(errno, printable_path(folder) + ": cannot make a temporary file");
  }
  std::string path = folder + "/.bloomery-XXXXXX";
  File file(::mkostemp(path.data(), O_CLOEXEC));
  if (!file.is_open()) {
    return errno_error(errno, printable_path(folder) + ": cannot make a temporary file");
  }
  if (::unlink(path.c_str()) != 0) {
    return errno_error(errno, printable_path(path) + ": cannot remove its name");
  }
  return file;
}

Result<void> write_scratch(const File& file, std::uint64_t offset, std::span<const std::byte> bytes,
                           const std::string& folder) {
  auto written = write_at(file, offset, bytes, folder);
  if (written) return written;
  return make_error(written.error().code,
                    "{}; what does not fit the memory goes there: allow more with --memory, or "
                    "name another folder with --tmp",
                    written.error().message);
}

}  // namespace bloomery
