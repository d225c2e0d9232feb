#include "cli/output/json.h"

#include "base/base64.h"
#include "parse/utf8.h"

namespace bloomery::cli {

void put_bytes(Json& object, const std::string& name, std::string_view bytes) {
  if (is_utf8(bytes)) {
    object[name] = bytes;
  } else {
    object[name + "_b64"] = to_base64(bytes);
  }
}

std::string to_line(const Json& value, bool is_ascii) {
  return value.dump(-1, ' ', is_ascii, Json::error_handler_t::replace) + "\n";
}

}  // namespace bloomery::cli
