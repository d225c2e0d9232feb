// Makes Errors from a format string, so that the place of a failure is one readable line.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>

#include "bloomery/result.h"

namespace bloomery {

template <typename... Args>
[[nodiscard]] Error make_error(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return Error{code, fmt::format(format, std::forward<Args>(args)...)};
}

// "<what>: <text of errno>", with the code that fits: kNotFound, kExists, kResource or kIo.
[[nodiscard]] Error errno_error(int error_number, std::string_view what);

// The bytes in a form that is safe to print: control characters, bytes that are not UTF-8, and a
// backslash that would be taken for the start of such an escape as \xHH, cut after `max_bytes` with
// an ellipsis.
[[nodiscard]] std::string escaped(std::string_view bytes, std::size_t max_bytes = 200);
// The same for a field of a line of fields: only what would end either, and that backslash.
[[nodiscard]] std::string escaped_field(std::string_view bytes);
// What was escaped, whole: every \xHH as its byte.
[[nodiscard]] std::string unescaped(std::string_view text);

}  // namespace bloomery
