// A file that appears whole or not at all.
//
//   takes   a path, and bytes at any offset in any order
//   gives   the file at that path, when commit() succeeds
//
// What is written goes to `.<name>.tmp.<pid>.<random>` in the same folder. commit() flushes it to
// the disk, renames it over the target and flushes the folder; until then, and after any failure,
// what was at the path is untouched. Why there is no lock: docs/decisions/no-lock-file.md.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/file.h"
#include "bloomery/result.h"

namespace bloomery {

// The error of a result that would replace what is there.
[[nodiscard]] Error exists_error(const std::string& path);
// Fails where something is at `path`, or no folder that could hold it: for looking before long
// work. AtomicFile looks again.
Result<void> check_absent(const std::string& path);

class AtomicFile {
 public:
  // Fails when `path` exists and `overwrite` is not set, or names what is not a regular file, or an
  // open file by its descriptor, as /dev/stdout does. Any other symbolic link is followed: the file
  // it points to is the one that is replaced. The new file has the permissions of the one it
  // replaces, and a new owner where that was another. Removes temporary files that killed writers
  // of the same target have left behind.
  static Result<AtomicFile> create(const std::string& path, bool overwrite);

  AtomicFile(AtomicFile&& other) noexcept = default;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  ~AtomicFile();

  // Makes the file `size` bytes of zero, with the disk space reserved where the file system can do
  // it.
  Result<void> resize(std::uint64_t size);
  // Threads may call these at once where they write different bytes.
  Result<void> write(std::uint64_t offset, std::span<const std::byte> bytes);
  Result<void> read(std::uint64_t offset, std::span<std::byte> bytes) const;

  // Puts the file in place. Without `overwrite` it fails when a file has appeared there meanwhile,
  // and with it, when something that is not a regular file has.
  // Call it once; nothing can be written afterwards.
  Result<void> commit();

  // As it was given, for messages.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  AtomicFile() = default;
  [[nodiscard]] Error failed(int error_number, std::string_view doing) const;
  Result<void> open_temporary(std::optional<mode_t> old_mode);
  [[nodiscard]] Result<void> check_unfinished() const;
  [[nodiscard]] Result<void> check_room(std::uint64_t size) const;
  Result<void> flush();
  Result<void> rename_into_place();
  Result<void> move_without_replacing();
  // False, with errno, where it failed.
  bool replace_own_claim();
  void discard() noexcept;

  std::string path_;
  std::string target_;     // name in folder_
  std::string temporary_;  // name in folder_; empty when there is nothing to remove
  bool overwrite_ = false;
  File folder_;
  File file_;
};

}  // namespace bloomery
