#include "cli/sha256.h"

#include <sys/types.h>

#include <sha2.h>

#include <array>
#include <cerrno>

#include "base/base64.h"
#include "base/error.h"
#include "base/file.h"

namespace bloomery::cli {
namespace {

using Digest = std::array<std::uint8_t, SHA256_DIGEST_LENGTH>;

Digest digest_of(std::string_view bytes) {
  SHA2_CTX context;
  ::SHA256Init(&context);
  ::SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  Digest digest{};
  ::SHA256Final(digest.data(), &context);
  return digest;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  std::string text;
  for (const std::uint8_t byte : digest_of(bytes)) text += fmt::format("{:02x}", byte);
  return text;
}

std::string sha256_base64(std::string_view bytes) {
  const Digest digest = digest_of(bytes);
  return to_base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

Result<std::string> sha256_of_file(const std::string& path) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> text{};
  if (::SHA256File(path.c_str(), text.data()) == nullptr) {
    return errno_error(errno, printable_path(path));
  }
  return std::string(text.data());
}

}  // namespace bloomery::cli
