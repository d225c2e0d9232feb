// An open file and the system calls on it, with interruptions and short transfers taken care of.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "bloomery/result.h"

namespace bloomery {

// Owns a descriptor.
class File {
 public:
  File() = default;
  explicit File(int descriptor) noexcept : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept;
  ~File();

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  // Closes it and gives the error number, 0 for success. It is closed in any case.
  int close() noexcept;

 private:
  int descriptor_ = -1;
};

struct OpenedFile {
  File file;
  std::uint64_t size = 0;
};

// Fails for a path with a zero byte, which the system would take for its end.
Result<void> check_path(const std::string& path);

// Opens a regular file to read it. Fails for anything else, and does not wait for a pipe's other
// end.
Result<OpenedFile> open_to_read(const std::string& path);

// Reads or writes all of `bytes` at `offset`. `path` is for the message. Threads may share a file.
Result<void> read_at(const File& file, std::uint64_t offset, std::span<std::byte> bytes,
                     const std::string& path);
Result<void> write_at(const File& file, std::uint64_t offset, std::span<const std::byte> bytes,
                      const std::string& path);

// A folder as a descriptor; not open, with errno, where that fails.
[[nodiscard]] File open_folder(const std::string& path) noexcept;
// Makes names in a folder survive a power failure. Gives the error number, 0 for success and where
// the file system does not flush folders.
int flush_folder(const File& folder) noexcept;

// A path as it stands in messages: whole, but with nothing in it that a terminal would obey.
[[nodiscard]] std::string printable_path(const std::string& path);

// Calls `call` again as long as a signal interrupts it. For calls that return -1 and set errno.
template <typename Call>
auto uninterrupted(const Call& call) noexcept {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

}  // namespace bloomery
