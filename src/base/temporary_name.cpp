#include "base/temporary_name.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() is POSIX, not in <csignal>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"

namespace bloomery {
namespace {

constexpr std::string_view kMark = ".tmp.";
constexpr std::size_t kRandomDigits = 16;
constexpr std::time_t kStaleSeconds = 3600;

// Everything before the process number.
std::string prefix_of(std::string_view target) {
  constexpr std::size_t kLongestName = 255;
  constexpr std::size_t kLongestPid = 10;
  const std::size_t rest = 1 + kMark.size() + kLongestPid + 1 + kRandomDigits;
  return fmt::format(".{}{}", target.substr(0, kLongestName - rest), kMark);
}

std::uint64_t random_number() noexcept {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number) return number;
  // Only names must differ, and O_EXCL finds those that do not.
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

// The process that made `name`, if it is a temporary file with that prefix.
std::optional<pid_t> maker_of(std::string_view name, std::string_view prefix) noexcept {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  pid_t pid = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (parsed.ec != std::errc() || pid <= 0) return std::nullopt;
  name.remove_prefix(static_cast<std::size_t>(parsed.ptr - name.data()));
  const bool ends_right = name.size() == 1 + kRandomDigits && name[0] == '.' &&
                          name.find_first_not_of("0123456789abcdef", 1) == std::string_view::npos;
  return ends_right ? std::optional(pid) : std::nullopt;
}

bool is_alive(pid_t pid) noexcept {
  return ::kill(pid, 0) == 0 || errno != ESRCH;
}

// Calls each(name) for everything in the folder.
template <typename Each>
void for_each_name(const File& folder, const Each& each) {
  // A descriptor of its own, because reading a folder moves the descriptor's position.
  const int descriptor = uninterrupted(
      [&] { return ::openat(folder.descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (descriptor < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(descriptor), &::closedir);
  if (listing == nullptr) {
    ::close(descriptor);
    return;
  }
  // readdir() is safe here: no other thread has this listing.
  while (const dirent* entry = ::readdir(listing.get())) {  // NOLINT(concurrency-mt-unsafe)
    each(entry->d_name);
  }
}

void remove_if_stale(const File& folder, const char* name) {
  const File found(uninterrupted([&] {
    return ::openat(folder.descriptor(), name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  }));
  struct stat status {};
  if (!found.is_open() || ::fstat(found.descriptor(), &status) != 0) return;
  const bool is_folder = S_ISDIR(status.st_mode);
  if (!is_folder && !S_ISREG(status.st_mode)) return;
  if (std::time(nullptr) - status.st_mtim.tv_sec < kStaleSeconds) return;
  if (::flock(found.descriptor(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return;
  // A folder in it, which is nobody's here, cannot be removed like this, and neither can its
  // parent.
  if (is_folder) {
    for_each_name(found, [&](const char* file) { ::unlinkat(found.descriptor(), file, 0); });
  }
  ::unlinkat(folder.descriptor(), name, is_folder ? AT_REMOVEDIR : 0);
}

}  // namespace

std::string temporary_name(std::string_view target) {
  return fmt::format("{}{}.{:016x}", prefix_of(target), ::getpid(), random_number());
}

void remove_stale_temporaries(const File& folder, std::string_view target) {
  const std::string prefix = prefix_of(target);
  for_each_name(folder, [&](const char* name) {
    const auto pid = maker_of(name, prefix);
    if (pid && !is_alive(*pid)) remove_if_stale(folder, name);
  });
}

}  // namespace bloomery
