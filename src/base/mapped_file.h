// A file as a span of bytes, mapped read-only.
//
// Pages come in as they are touched and are shared with other processes. The price: if somebody
// cuts the file short while it is mapped, touching what is gone kills the process (SIGBUS).
// Replacing the file by rename, as AtomicFile does, is harmless: the mapping keeps the old one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "bloomery/result.h"

namespace bloomery {

class MappedFile {
 public:
  // Fails for what is not a regular file, and for a file whose size changes meanwhile. An empty
  // file gives an empty span.
  static Result<MappedFile> open(const std::string& path);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  // Starts on a page.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  std::span<const std::byte> bytes_;
};

}  // namespace bloomery
