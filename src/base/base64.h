// Base64 after RFC 4648, for bytes that are not text in JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bloomery {

[[nodiscard]] std::string to_base64(std::string_view bytes);
// Nothing for a text that to_base64() does not give.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace bloomery
