// SHA-256: names a file's bytes for everybody (sha256sum), and a page's scripts for a browser.
#pragma once

#include <string>
#include <string_view>

#include "bloomery/result.h"

namespace bloomery::cli {

[[nodiscard]] std::string sha256_hex(std::string_view bytes);
[[nodiscard]] std::string sha256_base64(std::string_view bytes);
Result<std::string> sha256_of_file(const std::string& path);

}  // namespace bloomery::cli
