#include "group/recipe.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "group/decimal.h"

namespace bloomery {
namespace {

std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Error bad_group(std::string_view text, std::string_view why) {
  return make_error(
      ErrorCode::kInvalidArgument,
      "group \"{}\": {}; a group is COLUMN, round(COLUMN), floor(COLUMN), prefix(COLUMN,N) or "
      "none",
      escaped(text), why);
}

std::string to_text(const ColumnRef& column) {
  if (column.is_number()) return std::to_string(column.number);
  const bool is_digits = column.name.find_first_not_of("0123456789") == std::string::npos;
  const bool is_plain = !is_digits && column.name.find_first_of(",()\" ") == std::string::npos;
  if (is_plain) return column.name;
  std::string quoted = "\"";
  for (const char c : column.name) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

std::optional<GroupExpr::Kind> function_named(std::string_view name) noexcept {
  if (name == "round") return GroupExpr::Kind::kRound;
  if (name == "floor") return GroupExpr::Kind::kFloor;
  if (name == "prefix") return GroupExpr::Kind::kPrefix;
  return std::nullopt;
}

// "COLUMN,N" of prefix(); takes the number off `arguments`.
Result<std::uint32_t> prefix_length(std::string_view whole, std::string_view& arguments) {
  const std::size_t comma = arguments.rfind(',');
  if (comma == std::string_view::npos) return bad_group(whole, "prefix needs a number of bytes");
  const std::string_view text = trimmed(arguments.substr(comma + 1));
  std::uint32_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error != std::errc() || end != text.data() + text.size() || length == 0 || length > 65535) {
    return bad_group(whole, "the number of bytes goes from 1 to 65535");
  }
  arguments = arguments.substr(0, comma);
  return length;
}

Result<GroupRange> parse_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::string_view low = text.substr(0, dots);
  const std::string_view high =
      dots == std::string_view::npos ? std::string_view() : text.substr(dots + 2);
  const auto from = parse_decimal(low);
  const auto to = parse_decimal(high);
  if (!from || !to || *from > *to) {
    return make_error(ErrorCode::kInvalidArgument,
                      "group range \"{}\": must be two numbers, the lower one first, such as 1..10",
                      escaped(text));
  }
  return GroupRange{std::string(low), std::string(high)};
}

Result<void> check_known_names(const RecipeText& text) {
  for (const auto& [name, value] : text) {
    if (name != "key" && name != "group" && name != "group-range" && name != "key-type") {
      return make_error(ErrorCode::kUnsupported,
                        "recipe: \"{}\" is not known to this version; use a newer one",
                        escaped(name));
    }
  }
  return {};
}

std::string_view key_type_name(KeyType type) noexcept {
  return type == KeyType::kU64 ? "u64" : "i64";
}

Result<void> check_fits_together(const Recipe& recipe) {
  if (recipe.range && (recipe.group.kind == GroupExpr::Kind::kNone ||
                       recipe.group.kind == GroupExpr::Kind::kPrefix)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "group range {}..{}: needs groups that are numbers, and \"{}\" gives none",
                      recipe.range->low, recipe.range->high, escaped(to_string(recipe.group)));
  }
  if (recipe.key_type != KeyType::kText && recipe.key.size() > 1) {
    return make_error(ErrorCode::kInvalidArgument,
                      "key type {}: a key of {} fields is text; give one column",
                      key_type_name(recipe.key_type), recipe.key.size());
  }
  const bool has_column = recipe.group.kind != GroupExpr::Kind::kNone;
  if (recipe.key.empty() && has_column && recipe.group.column != ColumnRef{1, {}}) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "group \"{}\": without a key column records are plain lines, which have only column 1; "
        "name the key column",
        escaped(to_string(recipe.group)));
  }
  return {};
}

}  // namespace

Result<GroupExpr> parse_group(std::string_view text) {
  const std::string_view whole = trimmed(text);
  GroupExpr group;
  if (whole.empty() || whole == "none") return group;
  std::string_view column = whole;
  group.kind = GroupExpr::Kind::kColumn;
  const std::size_t open = whole.find('(');
  if (whole[0] != '"' && open != std::string_view::npos) {
    const auto function = function_named(trimmed(whole.substr(0, open)));
    if (!function) return bad_group(text, "there is no such function");
    if (whole.back() != ')') return bad_group(text, "a parenthesis does not close");
    group.kind = *function;
    column = whole.substr(open + 1, whole.size() - open - 2);
    if (group.kind == GroupExpr::Kind::kPrefix) {
      const auto length = prefix_length(text, column);
      if (!length) return length.error();
      group.prefix = *length;
    }
  }
  auto parsed = parse_columns(trimmed(column));
  if (!parsed) return bad_group(text, parsed.error().message);
  if (parsed->size() != 1) return bad_group(text, "it takes one column");
  group.column = std::move((*parsed)[0]);
  return group;
}

std::string to_string(const GroupExpr& group) {
  const std::string column = to_text(group.column);
  switch (group.kind) {
    case GroupExpr::Kind::kNone:
      return "none";
    case GroupExpr::Kind::kColumn:
      // A column that is called "none" must not read back as no group.
      return column == "none" ? "\"none\"" : column;
    case GroupExpr::Kind::kRound:
      return fmt::format("round({})", column);
    case GroupExpr::Kind::kFloor:
      return fmt::format("floor({})", column);
    case GroupExpr::Kind::kPrefix:
      return fmt::format("prefix({},{})", column, group.prefix);
  }
  return "none";
}

Result<Recipe> parse_recipe(const RecipeText& text) {
  if (const auto known = check_known_names(text); !known) return known.error();
  const auto value = [&](std::string_view name) {
    const auto found = text.find(name);
    return found == text.end() ? std::string_view() : std::string_view(found->second);
  };
  Recipe recipe;
  if (!value("key").empty()) {
    auto columns = parse_columns(value("key"));
    if (!columns) return columns.error();
    recipe.key = std::move(*columns);
  }
  auto group = parse_group(value("group"));
  if (!group) return group.error();
  recipe.group = std::move(*group);
  if (!value("group-range").empty()) {
    auto range = parse_range(value("group-range"));
    if (!range) return range.error();
    recipe.range = std::move(*range);
  }
  const std::string_view type = value("key-type");
  if (!type.empty() && type != "text" && type != "u64" && type != "i64") {
    return make_error(ErrorCode::kInvalidArgument, "key type \"{}\": must be text, u64 or i64",
                      escaped(type));
  }
  if (type == "u64") recipe.key_type = KeyType::kU64;
  if (type == "i64") recipe.key_type = KeyType::kI64;
  if (const auto fits = check_fits_together(recipe); !fits) return fits.error();
  return recipe;
}

RecipeText to_text(const Recipe& recipe) {
  RecipeText text;
  std::string key;
  for (const ColumnRef& column : recipe.key) key += (key.empty() ? "" : ",") + to_text(column);
  if (!key.empty()) text["key"] = key;
  if (recipe.group.kind != GroupExpr::Kind::kNone) text["group"] = to_string(recipe.group);
  if (recipe.range) text["group-range"] = recipe.range->low + ".." + recipe.range->high;
  if (recipe.key_type != KeyType::kText) text["key-type"] = key_type_name(recipe.key_type);
  return text;
}

std::vector<ColumnRef> wanted_columns(const Recipe& recipe) {
  std::vector<ColumnRef> columns = recipe.key;
  if (recipe.group.kind != GroupExpr::Kind::kNone) columns.push_back(recipe.group.column);
  return columns;
}

Result<FileShape> shape_for(const Recipe& recipe, std::string_view text, LayoutOptions options,
                            std::string_view name) {
  if (recipe.key.empty() && !options.format) options.format = TextFormat::kLines;
  return shape_of(text, wanted_columns(recipe), options, name);
}

}  // namespace bloomery
