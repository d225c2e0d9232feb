#include "parse/shape.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "parse/check_text.h"
#include "parse/did_you_mean.h"
#include "parse/sample.h"
#include "parse/sniff.h"

namespace bloomery {
namespace {

constexpr std::size_t kShownColumns = 20;

std::string list_of(const std::vector<std::string>& columns) {
  std::string list;
  for (std::size_t i = 0; i < columns.size() && i < kShownColumns; ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : ", ", escaped(columns[i], 60));
  }
  if (columns.size() > kShownColumns)
    list += fmt::format(", and {} more", columns.size() - kShownColumns);
  return list;
}

Result<std::uint32_t> place_of(const ColumnRef& column, const FileShape& shape,
                               std::string_view name) {
  if (column.is_number()) {
    if (column.number <= shape.fields) return column.number - 1;
    return make_error(ErrorCode::kNotFound, "{}: there is no column {}: records have {} field{}",
                      escaped(name), column.number, shape.fields, shape.fields == 1 ? "" : "s");
  }
  const auto found = std::find(shape.columns.begin(), shape.columns.end(), column.name);
  if (found == shape.columns.end()) {
    const auto meant = did_you_mean(column.name, shape.columns);
    return make_error(ErrorCode::kNotFound, "{}: there is no column \"{}\"; the columns are {}{}",
                      escaped(name), escaped(column.name), list_of(shape.columns),
                      meant ? fmt::format("; did you mean \"{}\"?", escaped(*meant)) : "");
  }
  if (std::find(found + 1, shape.columns.end(), column.name) != shape.columns.end()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: two columns have the name \"{}\"; give the number of the one you mean",
                      escaped(name), escaped(column.name));
  }
  return static_cast<std::uint32_t>(found - shape.columns.begin());
}

bool has_names(std::span<const ColumnRef> wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [](const auto& c) { return !c.is_number(); });
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.-") == std::string::npos;
}

bool has_number(const std::vector<std::string>& fields) {
  return std::any_of(fields.begin(), fields.end(), is_number);
}

Result<void> read_header(std::string_view text, bool is_whole, std::string_view name,
                         FileShape& shape) {
  const auto first = first_records(text, 1, shape.layout.multiline, is_whole);
  if (first.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "{}: the header is longer than {} bytes",
                      escaped(name), text.size());
  }
  const auto columns = split_fields(first[0].text, shape.layout);
  if (!columns) {
    return make_error(ErrorCode::kInvalidArgument, "{}: the quotes in the header do not match: {}",
                      escaped(name), escaped(first[0].text));
  }
  shape.columns = *columns;
  shape.fields = static_cast<std::uint32_t>(columns->size());
  shape.header = first[0].text;
  shape.header_offset = first[0].offset;
  return {};
}

// Without a header the first record that can be read says how many fields there are.
void count_fields(std::string_view text, bool is_whole, std::span<const ColumnRef> wanted,
                  FileShape& shape) {
  std::optional<std::vector<std::string>> first;
  for (const auto& record : first_records(text, 100, shape.layout.multiline, is_whole)) {
    const auto fields = split_fields(record.text, shape.layout);
    if (!fields) continue;
    if (first) {
      shape.may_have_header = !has_number(*first) && has_number(*fields);
      break;
    }
    first = fields;
  }
  if (first) {
    shape.fields = static_cast<std::uint32_t>(first->size());
    return;
  }
  for (const ColumnRef& column : wanted) shape.fields = std::max(shape.fields, column.number);
}

Result<void> shape_json(std::span<const ColumnRef> wanted, std::string_view name,
                        FileShape& shape) {
  for (const ColumnRef& column : wanted) {
    if (column.is_number()) {
      return make_error(ErrorCode::kInvalidArgument,
                        "{}: column {}: JSON fields have names, not numbers", escaped(name),
                        column.number);
    }
    shape.wanted.push_back(static_cast<std::uint32_t>(shape.wanted.size()));
    shape.wanted_names.push_back(column.name);
  }
  return {};
}

Result<void> shape_delimited(std::string_view text, bool is_whole,
                             std::span<const ColumnRef> wanted, const LayoutOptions& options,
                             std::string_view name, FileShape& shape) {
  if (has_names(wanted) && options.has_header == false) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: a column asked for by name needs a header; give its number instead",
                      escaped(name));
  }
  shape.layout.has_header = has_names(wanted) || options.has_header.value_or(false);
  // A file without a record has nothing to find columns in, and nothing that could miss them.
  if (is_whole && first_records(text, 1, shape.layout.multiline, true).empty()) {
    shape.wanted.assign(wanted.size(), 0);
    shape.fields = 1;
    return {};
  }
  if (shape.layout.has_header) {
    if (auto read = read_header(text, is_whole, name, shape); !read) return read;
  } else {
    count_fields(text, is_whole, wanted, shape);
  }
  for (const ColumnRef& column : wanted) {
    const auto place = place_of(column, shape, name);
    if (!place) return place.error();
    shape.wanted.push_back(*place);
  }
  return {};
}

}  // namespace

Result<FileShape> shape_of(std::string_view text, std::span<const ColumnRef> wanted,
                           const LayoutOptions& options, std::string_view name) {
  const bool is_whole = text.size() < kSampleBytes || text.find('\n') == std::string_view::npos;
  if (auto fine = check_line_ends(text, name); !fine) return fine.error();
  const bool may_be_json = options.format.value_or(TextFormat::kJson) == TextFormat::kJson &&
                           !options.delimiter && has_names(wanted);
  if (may_be_json) {
    if (auto fine = check_json_lines(text, name); !fine) return fine.error();
  }
  FileShape shape;
  if (wanted.empty() && !options.format) {
    shape.layout.format = TextFormat::kLines;
  } else {
    shape.layout = sniff_layout(text, is_whole, options);
  }
  if (options.multiline && !shape.layout.quotes) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: line ends inside fields need quoted fields, and this text has none",
                      escaped(name));
  }
  Result<void> done;
  switch (shape.layout.format) {
    case TextFormat::kJson:
      done = shape_json(wanted, name, shape);
      break;
    case TextFormat::kLines:
      shape.layout.delimiter = '\n';
      [[fallthrough]];
    case TextFormat::kDelimited:
      done = shape_delimited(text, is_whole, wanted, options, name, shape);
      break;
  }
  if (!done) return done.error();
  return shape;
}

Result<void> check_same_columns(const FileShape& first, std::string_view first_name,
                                const FileShape& other, std::string_view other_name) {
  // A file without records has no columns to differ in.
  if (first.columns.empty() || other.columns.empty() || first.columns == other.columns) return {};
  return make_error(
      ErrorCode::kMismatch,
      "{} and {}: the headers differ ({} and {}); read them in separate runs and merge",
      escaped(first_name), escaped(other_name), list_of(first.columns), list_of(other.columns));
}

std::string describe(const FileShape& shape) {
  if (shape.layout.format == TextFormat::kLines) return "plain lines";
  if (shape.layout.format == TextFormat::kJson) return "JSON lines";
  return fmt::format("{}-separated{}, {}, {} column{}", delimiter_name(shape.layout.delimiter),
                     shape.layout.quotes ? " with quotes" : "",
                     shape.layout.has_header ? "header" : "no header", shape.fields,
                     shape.fields == 1 ? "" : "s");
}

}  // namespace bloomery
