#include "cli/output/json.h"

namespace bloomery::cli {

std::string to_line(const Json& value, bool is_ascii) {
  return value.dump(-1, ' ', is_ascii, Json::error_handler_t::replace) + "\n";
}

std::string sorted_text(const Json& value) {
  return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace bloomery::cli
