#include "parse/json_record.h"

#include "parse/json_scanner.h"
#include "parse/utf8.h"

namespace bloomery {

JsonStatus JsonRecord::read(std::string_view record) {
  fields_.assign(names_.size(), {});
  texts_.resize(names_.size() + 1);
  is_container_.assign(names_.size(), false);
  JsonScanner scanner(record);
  scanner.skip_spaces();
  if (!scanner.take('{')) return JsonStatus::kBroken;
  scanner.skip_spaces();
  if (!scanner.take('}')) {
    do {
      if (!read_member(scanner)) return JsonStatus::kBroken;
    } while (scanner.take(','));
    if (!scanner.take('}')) return JsonStatus::kBroken;
  }
  scanner.skip_spaces();
  if (!scanner.is_at_end()) return JsonStatus::kBroken;
  if (!is_utf8(record)) return JsonStatus::kBadUtf8;
  for (const bool is_container : is_container_) {
    if (is_container) return JsonStatus::kNotScalar;
  }
  return JsonStatus::kGood;
}

bool JsonRecord::read_member(JsonScanner& scanner) {
  JsonString name;
  JsonString text;
  scanner.skip_spaces();
  if (!scanner.string(name)) return false;
  scanner.skip_spaces();
  if (!scanner.take(':')) return false;
  scanner.skip_spaces();
  const JsonType type = scanner.value(text);
  scanner.skip_spaces();
  if (type == JsonType::kBroken) return false;
  std::string_view wanted = name.raw;
  if (name.has_escapes) {
    // Half a surrogate pair is no text, so no column has that name.
    if (!unescape(name.raw, texts_.back())) return true;
    wanted = texts_.back();
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == wanted && !keep(i, type, text)) return false;
  }
  return true;
}

bool JsonRecord::keep(std::size_t i, JsonType type, const JsonString& text) {
  is_container_[i] = type == JsonType::kContainer;
  fields_[i] = type == JsonType::kNull || is_container_[i] ? std::string_view() : text.raw;
  if (!text.has_escapes || type != JsonType::kString) return true;
  if (!unescape(text.raw, texts_[i])) return false;
  fields_[i] = texts_[i];
  return true;
}

}  // namespace bloomery
