// One JSON object to the fields that are wanted from it.
//
//   takes   a record, and the names of top-level fields
//   gives   their bytes: strings unescaped to UTF-8, numbers and true and false as they stand
//
// The whole record is checked, wanted or not, so that a record is good or broken whatever columns a
// job uses. Written by hand, not with a library: a record is short and needs only a scan, and the
// scanners at hand either check less of what they skip or lose step at the first broken record
// (docs/decisions/json.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse/json_scanner.h"

namespace bloomery {

enum class JsonStatus : std::uint8_t {
  kGood,
  kBroken,     // not a JSON object
  kBadUtf8,    // JSON is UTF-8
  kNotScalar,  // a wanted field is an object or an array
};

class JsonRecord {
 public:
  explicit JsonRecord(std::vector<std::string> names) : names_(std::move(names)) {}

  // Reads one record. The last field of a name counts.
  JsonStatus read(std::string_view record);

  // The bytes of the i-th wanted field; empty when it is absent, null or empty. Good until the next
  // read().
  [[nodiscard]] std::string_view field(std::size_t i) const noexcept { return fields_[i]; }

 private:
  bool read_member(JsonScanner& scanner);
  bool keep(std::size_t i, JsonType type, const JsonString& text);

  std::vector<std::string> names_;
  std::vector<std::string_view> fields_;
  std::vector<std::string> texts_;  // of fields that had escapes, and one for names that have
  std::vector<bool> is_container_;
};

}  // namespace bloomery
