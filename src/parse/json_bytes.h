// Bytes in JSON, which holds UTF-8 only.
#pragma once

#include <string>
#include <string_view>

#include "base/base64.h"
#include "parse/utf8.h"

namespace bloomery {

// Puts bytes under `name`, or, where they are not UTF-8, in base64 under `name`_b64.
template <typename Json>
void put_bytes(Json& object, const std::string& name, std::string_view bytes) {
  if (is_utf8(bytes)) {
    object[name] = bytes;
  } else {
    object[name + "_b64"] = to_base64(bytes);
  }
}

}  // namespace bloomery
