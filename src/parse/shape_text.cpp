#include <charconv>
#include <optional>

#include "base/error.h"
#include "parse/shape.h"

namespace bloomery {
namespace {

using Texts = std::map<std::string, std::string, std::less<>>;

Error bad_shape(std::string_view name) {
  return make_error(ErrorCode::kDamaged, "shape of an input: \"{}\" is missing or makes no sense",
                    name);
}

std::optional<std::uint64_t> number_of(const Texts& texts, std::string_view name) {
  const auto found = texts.find(name);
  if (found == texts.end()) return std::nullopt;
  const std::string& text = found->second;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string text_of(const Texts& texts, std::string_view name) {
  const auto found = texts.find(name);
  return found == texts.end() ? std::string() : found->second;
}

}  // namespace

// Field names of columns that are not wanted stay behind: tasks need only the header's bytes.
Texts to_text(const FileShape& shape) {
  Texts texts;
  texts["format"] = std::to_string(static_cast<unsigned>(shape.layout.format));
  texts["delimiter"] = std::string(1, shape.layout.delimiter);
  texts["quotes"] = shape.layout.quotes ? "1" : "0";
  texts["multiline"] = shape.layout.multiline ? "1" : "0";
  texts["fields"] = std::to_string(shape.fields);
  texts["wanted"] = std::to_string(shape.wanted.size());
  for (std::size_t i = 0; i < shape.wanted.size(); ++i) {
    texts[fmt::format("wanted.{}", i)] = std::to_string(shape.wanted[i]);
    if (i < shape.wanted_names.size()) texts[fmt::format("name.{}", i)] = shape.wanted_names[i];
  }
  if (shape.layout.has_header) {
    texts["header"] = shape.header;
    texts["header-offset"] = std::to_string(shape.header_offset);
  }
  return texts;
}

Result<FileShape> shape_from_text(const Texts& texts) {
  constexpr std::uint64_t kMaxFields = 1'000'000'000;
  FileShape shape;
  const auto format = number_of(texts, "format");
  if (!format || *format > 2) return bad_shape("format");
  shape.layout.format = static_cast<TextFormat>(*format);
  const std::string delimiter = text_of(texts, "delimiter");
  if (delimiter.size() != 1) return bad_shape("delimiter");
  shape.layout.delimiter = delimiter[0];
  shape.layout.quotes = text_of(texts, "quotes") == "1";
  shape.layout.multiline = text_of(texts, "multiline") == "1";
  const auto fields = number_of(texts, "fields");
  if (!fields || *fields > kMaxFields) return bad_shape("fields");
  shape.fields = static_cast<std::uint32_t>(*fields);
  const auto wanted = number_of(texts, "wanted");
  if (!wanted || *wanted > texts.size()) return bad_shape("wanted");
  const bool is_json = shape.layout.format == TextFormat::kJson;
  for (std::size_t i = 0; i < *wanted; ++i) {
    const auto place = number_of(texts, fmt::format("wanted.{}", i));
    if (!place || *place >= (is_json ? *wanted : *fields)) return bad_shape("wanted");
    shape.wanted.push_back(static_cast<std::uint32_t>(*place));
    if (is_json) shape.wanted_names.push_back(text_of(texts, fmt::format("name.{}", i)));
  }
  if (texts.contains("header-offset")) {
    const auto offset = number_of(texts, "header-offset");
    if (!offset) return bad_shape("header-offset");
    shape.layout.has_header = true;
    shape.header = text_of(texts, "header");
    shape.header_offset = *offset;
  }
  return shape;
}

}  // namespace bloomery
