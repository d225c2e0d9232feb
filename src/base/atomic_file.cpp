#include "base/atomic_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/temporary_name.h"

namespace bloomery {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Links such as /proc/self/fd/1, to which /dev/stdout leads: what is behind them may have no name,
// and whoever holds it open would not see the file that replaces it.
bool stands_for_an_open_file(const fs::path& link) {
  struct statfs facts {};
  return ::statfs(folder_of(link).c_str(), &facts) == 0 && facts.f_type == PROC_SUPER_MAGIC;
}

// Follows links one by one, because realpath() cannot follow one to a file that is yet to be made.
Result<fs::path> without_links(const std::string& path) {
  constexpr int kMaxLinks = 40;
  fs::path current = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(current, error))) return current;
    if (stands_for_an_open_file(current)) {
      return make_error(ErrorCode::kInvalidArgument,
                        "{}: stands for an open file or pipe; what is written here is moved into "
                        "place when it is whole, so name a file",
                        printable_path(path));
    }
    const fs::path next = fs::read_symlink(current, error);
    if (error) return errno_error(error.value(), printable_path(path));
    current = current.parent_path() / next;  // `next` alone where it is absolute
  }
  return errno_error(ELOOP, printable_path(path));
}

Result<void> check_regular(const std::string& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) {
    return make_error(ErrorCode::kInvalidArgument, "{}: is a folder; name a file in it",
                      printable_path(path));
  }
  if (!S_ISREG(status.st_mode)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: is not a regular file, so it cannot be replaced; name a file",
                      printable_path(path));
  }
  return {};
}

// The permissions of the file that is to be replaced; nothing where there is none.
Result<std::optional<mode_t>> check_target(const std::string& path, const File& folder,
                                           const std::string& name, bool overwrite) {
  struct stat status {};
  if (::fstatat(folder.descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return std::optional<mode_t>();
    return errno_error(errno, printable_path(path));
  }
  if (auto regular = check_regular(path, status); !regular) return regular.error();
  if (!overwrite) return exists_error(path);
  return std::optional<mode_t>(status.st_mode & 0777U);
}

// Whether `name` in `folder` is this very file.
bool is_named(const File& file, const File& folder, const std::string& name) {
  struct stat own {};
  struct stat named {};
  return ::fstat(file.descriptor(), &own) == 0 &&
         ::fstatat(folder.descriptor(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

Error no_folder(const std::string& path, const fs::path& folder) {
  return make_error(ErrorCode::kNotFound, "{}: there is no folder {}; make it first: mkdir -p {}",
                    printable_path(path), printable_path(folder), printable_path(folder));
}

}  // namespace

Error exists_error(const std::string& path) {
  return make_error(ErrorCode::kExists, "{}: exists; ask to overwrite it, or name another file",
                    printable_path(path));
}

Result<void> check_absent(const std::string& path) {
  if (auto checked = check_path(path); !checked) return checked;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (auto regular = check_regular(path, status); !regular) return regular;
  }
  if (::lstat(path.c_str(), &status) == 0) return exists_error(path);
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::exists(folder, error)) return no_folder(path, folder);
  return {};
}

Result<AtomicFile> AtomicFile::create(const std::string& path, bool overwrite) {
  if (auto checked = check_path(path); !checked) return checked.error();
  const auto resolved = without_links(path);
  if (!resolved) return resolved.error();
  const std::string name = resolved->filename().string();
  if (name.empty() || name == "." || name == "..") {
    return make_error(ErrorCode::kInvalidArgument, "\"{}\": is not the name of a file",
                      printable_path(path));
  }
  AtomicFile made;
  made.path_ = path;
  made.target_ = name;
  made.overwrite_ = overwrite;
  const fs::path parent = folder_of(*resolved);
  // Held open, so that the file goes where it was meant to even if the folder or the working
  // directory moves.
  made.folder_ = open_folder(parent.string());
  if (!made.folder_.is_open() && errno == ENOENT) return no_folder(path, parent);
  if (!made.folder_.is_open()) return made.failed(errno, "cannot open its folder");
  const auto old_mode = check_target(path, made.folder_, name, overwrite);
  if (!old_mode) return old_mode.error();
  remove_stale_temporaries(made.folder_, name);
  if (auto opened = made.open_temporary(*old_mode); !opened) return opened.error();
  return made;
}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    target_ = std::move(other.target_);
    temporary_ = std::move(other.temporary_);
    overwrite_ = other.overwrite_;
    folder_ = std::move(other.folder_);
    file_ = std::move(other.file_);
  }
  return *this;
}

AtomicFile::~AtomicFile() {
  discard();
}

void AtomicFile::discard() noexcept {
  if (!folder_.is_open() || temporary_.empty()) return;  // moved from, or done
  ::unlinkat(folder_.descriptor(), temporary_.c_str(), 0);
  temporary_.clear();
}

Error AtomicFile::failed(int error_number, std::string_view doing) const {
  return errno_error(error_number, fmt::format("{}: {}", printable_path(path_), doing));
}

Result<void> AtomicFile::open_temporary(std::optional<mode_t> old_mode) {
  constexpr int kAttempts = 16;  // another file with 64 equal random bits: more is a broken machine
  for (int i = 0; i < kAttempts; ++i) {
    const std::string name = temporary_name(target_);
    file_ = File(uninterrupted([&] {
      return ::openat(folder_.descriptor(), name.c_str(),
                      O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, old_mode.value_or(0666));
    }));
    if (file_.is_open()) {
      temporary_ = name;
      // What the umask has taken away. Where this fails, fewer may read the new file, never more.
      if (old_mode) static_cast<void>(::fchmod(file_.descriptor(), *old_mode));
      // Says "alive" to remove_stale_temporaries(). Where locks do not work, the other signs do.
      static_cast<void>(::flock(file_.descriptor(), LOCK_EX | LOCK_NB));
      return {};
    }
    if (errno != EEXIST) break;
  }
  return failed(errno, "cannot make a temporary file beside it");
}

Result<void> AtomicFile::resize(std::uint64_t size) {
  const auto length = static_cast<off_t>(size);
  if (length < 0) return failed(EFBIG, "cannot reserve disk space");
  if (auto fits = check_room(size); !fits) return fits;
  // fallocate() and not posix_fallocate(): where the file system cannot reserve, the latter writes
  // to every block instead, which takes as long as the work it should come before.
  if (uninterrupted([&] { return ::fallocate(file_.descriptor(), 0, 0, length); }) == 0) return {};
  const int refusal = errno;
  if (refusal != EOPNOTSUPP && refusal != ENOSYS && !(refusal == EINVAL && size == 0)) {
    return failed(refusal, fmt::format("cannot reserve {} bytes of disk space", size));
  }
  if (uninterrupted([&] { return ::ftruncate(file_.descriptor(), length); }) == 0) return {};
  return failed(errno, "cannot set its size");
}

// Asked first, because a file system may go about a reservation that is too large by filling the
// disk before it gives up.
Result<void> AtomicFile::check_room(std::uint64_t size) const {
  struct statvfs room {};
  if (::fstatvfs(file_.descriptor(), &room) != 0 || room.f_blocks == 0) return {};
  const std::uint64_t block_size = room.f_frsize;
  if (size / block_size <= room.f_bavail) return {};
  return failed(ENOSPC, fmt::format("needs {} bytes of disk space, and {} are free", size,
                                    room.f_bavail * block_size));
}

Result<void> AtomicFile::check_unfinished() const {
  if (!temporary_.empty()) return {};
  return make_error(ErrorCode::kInvalidArgument,
                    "{}: its writer was committed before, or has failed; make a new one",
                    printable_path(path_));
}

Result<void> AtomicFile::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (auto ready = check_unfinished(); !ready) return ready;
  return write_at(file_, offset, bytes, path_);
}

Result<void> AtomicFile::read(std::uint64_t offset, std::span<std::byte> bytes) const {
  if (auto ready = check_unfinished(); !ready) return ready;
  return read_at(file_, offset, bytes, path_);
}

Result<void> AtomicFile::commit() {
  if (auto ready = check_unfinished(); !ready) return ready;
  auto done = flush();
  if (done) done = rename_into_place();
  if (!done) {
    discard();
    return done;
  }
  temporary_.clear();
  if (const int error_number = flush_folder(folder_); error_number != 0) {
    return failed(error_number,
                  "is written, but may not survive a power failure; its folder: cannot flush");
  }
  return {};
}

Result<void> AtomicFile::flush() {
  if (uninterrupted([&] { return ::fsync(file_.descriptor()); }) != 0) {
    return failed(errno, "cannot flush to disk");
  }
  if (const int error_number = file_.close(); error_number != 0) {
    return failed(error_number, "cannot close");
  }
  return {};
}

Result<void> AtomicFile::rename_into_place() {
  if (!overwrite_) return move_without_replacing();
  // A link or a device that has appeared under the name since create() is not to be replaced
  // either. No call does both at once, so this leaves an instant; a folder rename() itself refuses.
  if (auto regular = check_target(path_, folder_, target_, true); !regular) return regular.error();
  const int folder = folder_.descriptor();
  if (::renameat(folder, temporary_.c_str(), folder, target_.c_str()) == 0) return {};
  return failed(errno, "cannot rename the temporary file to it");
}

Result<void> AtomicFile::move_without_replacing() {
  const int folder = folder_.descriptor();
  if (::renameat2(folder, temporary_.c_str(), folder, target_.c_str(), RENAME_NOREPLACE) == 0) {
    return {};
  }
  // Where the file system does not know that flag, a second name does the same: link() never
  // replaces.
  if (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) {
    if (::linkat(folder, temporary_.c_str(), folder, target_.c_str(), 0) == 0) {
      discard();
      return {};
    }
    // Nor second names, as on many network and object stores.
    const bool has_links = errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP;
    if (!has_links && replace_own_claim()) return {};
  }
  if (errno == EEXIST) {
    return make_error(ErrorCode::kExists,
                      "{}: another program has made it meanwhile; ask to overwrite it, or name "
                      "another file",
                      printable_path(path_));
  }
  return failed(errno, "cannot rename the temporary file to it");
}

// Takes the name with an empty file, which nobody else can do at the same time, and replaces that.
// Only a crash in between leaves the empty file behind.
bool AtomicFile::replace_own_claim() {
  const int folder = folder_.descriptor();
  const File claim(uninterrupted([&] {
    return ::openat(folder, target_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    0600);
  }));
  if (!claim.is_open()) return false;
  if (::renameat(folder, temporary_.c_str(), folder, target_.c_str()) == 0) return true;
  const int refusal = errno;
  // Unless another writer has put its file over it meanwhile.
  if (is_named(claim, folder_, target_)) ::unlinkat(folder, target_.c_str(), 0);
  errno = refusal;
  return false;
}

}  // namespace bloomery
