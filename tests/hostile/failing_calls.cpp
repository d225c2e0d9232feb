#include "hostile/failing_calls.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <map>

namespace bloomery::test {
namespace {

struct Watch {
  bool is_on = false;
  Fault fault;
  int calls = 0;
  std::map<std::string, int> calls_by_name;
  std::string failed;
};

Watch& watch() {
  static Watch instance;
  return instance;
}

// Whether this call is the one that fails.
bool fails_now(const char* name) {
  Watch& now = watch();
  if (!now.is_on) return false;
  ++now.calls_by_name[name];
  if (!now.fault.only.empty() && now.fault.only != name) return false;
  if (++now.calls != now.fault.at_call) return false;
  now.failed = name;
  return true;
}

bool fails_with_error(const char* name) {
  const auto unknown = watch().fault.unknown.find(name);
  if (watch().is_on && unknown != watch().fault.unknown.end()) {
    ++watch().calls_by_name[name];
    errno = unknown->second;
    return true;
  }
  if (!fails_now(name)) return false;
  errno = watch().fault.error_number;
  return true;
}

}  // namespace

void plan_fault(const Fault& fault) {
  watch() = Watch{true, fault, 0, {}, {}};
}

std::string call_that_failed() {
  watch().is_on = false;
  return watch().failed;
}

int calls_of(const std::string& call) {
  return watch().calls_by_name[call];
}

}  // namespace bloomery::test

using bloomery::test::fails_now;
using bloomery::test::fails_with_error;
using bloomery::test::watch;

// The names and parameters are the C library's, and the bodies are the bare system calls.
// NOLINTBEGIN
extern "C" {

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  if (fails_now("pwrite")) {
    if (watch().fault.loses_a_page) {
      const size_t lost = size < 4096 ? size : 4096;
      const ssize_t written =
          ::syscall(SYS_pwrite64, descriptor, static_cast<const char*>(bytes) + lost, size - lost,
                    offset + static_cast<off_t>(lost));
      return written < 0 ? written : written + static_cast<ssize_t>(lost);
    }
    if (watch().fault.error_number != 0) {
      errno = watch().fault.error_number;
      return -1;
    }
    size = (size + 1) / 2;
  }
  return ::syscall(SYS_pwrite64, descriptor, bytes, size, offset);
}

ssize_t pread(int descriptor, void* bytes, size_t size, off_t offset) {
  if (fails_now("pread")) {
    if (watch().fault.error_number != 0) {
      errno = watch().fault.error_number;
      return -1;
    }
    size = (size + 1) / 2;
  }
  return ::syscall(SYS_pread64, descriptor, bytes, size, offset);
}

int fsync(int descriptor) {
  if (fails_with_error("fsync")) return -1;
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

int close(int descriptor) {
  const bool fails = fails_now("close");
  const int result = static_cast<int>(::syscall(SYS_close, descriptor));
  if (!fails) return result;
  errno = watch().fault.error_number;
  return -1;
}

int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  if (fails_with_error("fallocate")) return -1;
  return static_cast<int>(::syscall(SYS_fallocate, descriptor, mode, offset, size));
}

int ftruncate(int descriptor, off_t size) noexcept {
  if (fails_with_error("ftruncate")) return -1;
  return static_cast<int>(::syscall(SYS_ftruncate, descriptor, size));
}

int openat(int folder, const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const int mode = (flags & O_CREAT) != 0 ? va_arg(arguments, int) : 0;
  va_end(arguments);
  if (fails_with_error("openat")) return -1;
  return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

int renameat(int from, const char* old_name, int to, const char* new_name) noexcept {
  if (fails_with_error("renameat")) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, from, old_name, to, new_name, 0));
}

int renameat2(int from, const char* old_name, int to, const char* new_name,
              unsigned flags) noexcept {
  if (fails_with_error("renameat2")) return -1;
  return static_cast<int>(::syscall(SYS_renameat2, from, old_name, to, new_name, flags));
}

int linkat(int from, const char* old_name, int to, const char* new_name, int flags) noexcept {
  if (fails_with_error("linkat")) return -1;
  return static_cast<int>(::syscall(SYS_linkat, from, old_name, to, new_name, flags));
}

}  // extern "C"
// NOLINTEND
