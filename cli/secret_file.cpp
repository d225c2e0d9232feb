#include "cli/secret_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"
#include "base/file.h"

namespace bloomery::cli {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<SecretKey> parse_secret(std::string_view text) {
  SecretKey secret{};
  if (text.size() == secret.size()) {
    for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<std::byte>(text[i]);
    return secret;
  }
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  if (text.size() != 2 * secret.size()) return std::nullopt;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    const int high = digit_of(text[2 * i]);
    const int low = digit_of(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    secret[i] = static_cast<std::byte>(high * 16 + low);
  }
  return secret;
}

}  // namespace

Result<SecretKey> read_secret(const std::string& path) {
  const auto opened = open_to_read(path);
  if (!opened) return opened.error();
  struct stat facts {};
  if (::fstat(opened->file.descriptor(), &facts) != 0) {
    return errno_error(errno, printable_path(path));
  }
  if ((facts.st_mode & 077U) != 0) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: others may read this secret key (mode {:04o}); run chmod 600 {}",
                      printable_path(path), facts.st_mode & 07777U, printable_path(path));
  }
  std::string text(opened->size < 64 ? opened->size : 64, '\0');
  const auto read = read_at(opened->file, 0, std::as_writable_bytes(std::span(text)), path);
  if (!read) return read.error();
  const auto secret = parse_secret(text);
  if (!secret) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: not a secret key of 16 bytes or 32 hexadecimal digits; bloomery "
                      "generate key makes one",
                      printable_path(path));
  }
  return *secret;
}

Result<std::optional<SecretKey>> optional_secret(const std::string& path) {
  if (path.empty()) return std::optional<SecretKey>();
  const auto secret = read_secret(path);
  if (!secret) return secret.error();
  return std::optional(*secret);
}

Result<void> create_secret(const std::string& path) {
  std::array<std::uint8_t, 16> secret{};
  const auto got = uninterrupted([&] { return ::getrandom(secret.data(), secret.size(), 0); });
  if (got != static_cast<ssize_t>(secret.size())) return errno_error(errno, "random numbers");
  std::string text;
  for (const std::uint8_t byte : secret) text += fmt::format("{:02x}", byte);
  text += '\n';
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  File file(uninterrupted([&] { return ::open(path.c_str(), kFlags, 0600); }));
  if (!file.is_open()) {
    return errno == EEXIST ? make_error(ErrorCode::kExists,
                                        "{}: exists; remove it first if nothing needs its key",
                                        printable_path(path))
                           : errno_error(errno, printable_path(path));
  }
  const auto written = write_at(file, 0, std::as_bytes(std::span(text)), path);
  if (written && ::fsync(file.descriptor()) == 0 && file.close() == 0) return {};
  const Error error = written ? errno_error(errno, printable_path(path)) : written.error();
  ::unlink(path.c_str());
  return error;
}

}  // namespace bloomery::cli
