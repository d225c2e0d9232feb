#include "group/read_columns.h"

#include <algorithm>

#include "base/error.h"

namespace bloomery {
namespace {

std::vector<std::string> names_of(const ArrowSchema& schema) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const char* const name = schema.children[i]->name;
    names.emplace_back(name == nullptr ? "" : name);
  }
  return names;
}

Result<std::size_t> find(const ColumnRef& wanted, const std::vector<std::string>& names,
                         std::string_view source) {
  if (wanted.is_number()) {
    if (wanted.number <= names.size()) return wanted.number - 1;
    return make_error(ErrorCode::kNotFound, "{}: no column {}; there are {}", source, wanted.number,
                      names.size());
  }
  const auto found = std::find(names.begin(), names.end(), wanted.name);
  if (found != names.end()) {
    if (std::find(found + 1, names.end(), wanted.name) != names.end()) {
      return make_error(ErrorCode::kInvalidArgument,
                        "{}: two columns have the name \"{}\"; give the number of the one you mean",
                        source, escaped(wanted.name));
    }
    return static_cast<std::size_t>(found - names.begin());
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + escaped(name, 60);
  return make_error(ErrorCode::kNotFound, "{}: no column \"{}\"; there are {}", source,
                    escaped(wanted.name), list);
}

}  // namespace

Result<ColumnFinder> ColumnFinder::create(const Recipe& recipe, const ArrowSchema& schema,
                                          std::string_view name) {
  if (std::string_view(schema.format) != "+s") {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: one column of Arrow type \"{}\"; a table or a record batch is needed",
                      name, escaped(schema.format));
  }
  const auto names = names_of(schema);
  ColumnFinder finder;
  const auto add = [&](const ColumnRef& wanted, ColumnUse use) -> Result<void> {
    const auto child = find(wanted, names, name);
    if (!child) return child.error();
    finder.places_.push_back({*child, names[*child], use});
    return {};
  };
  const bool has_group = recipe.group.kind != GroupExpr::Kind::kNone;
  for (const ColumnRef& key : recipe.key) {
    if (const auto added = add(key, ColumnUse::kKey); !added) return added.error();
  }
  if (recipe.key.empty()) {
    if (names.size() != 1 || has_group) {
      return make_error(ErrorCode::kInvalidArgument,
                        "{}: which of {} columns is the key? say key=NAME", name, names.size());
    }
    finder.places_.push_back({0, names[0], ColumnUse::kKey});
  }
  if (has_group) {
    if (const auto added = add(recipe.group.column, ColumnUse::kGroup); !added) {
      return added.error();
    }
  }
  return finder;
}

Result<std::vector<ArrowColumn>> ColumnFinder::columns(const ArrowSchema& schema,
                                                       const ArrowArray& batch) const {
  // A batch is a struct array: an offset or nulls of its own would shift or hide its columns.
  const bool may_have_nulls =
      batch.null_count != 0 && batch.n_buffers > 0 && batch.buffers[0] != nullptr;
  if (may_have_nulls || batch.offset != 0) {
    return make_error(ErrorCode::kUnsupported,
                      "a batch with an offset or nulls of its own; give a table or record batches");
  }
  std::vector<ArrowColumn> columns;
  for (const Place& place : places_) {
    auto column = ArrowColumn::create(*schema.children[place.child], *batch.children[place.child],
                                      place.name, place.use);
    if (!column) return column.error();
    if (column->size() < static_cast<std::size_t>(batch.length)) {
      return make_error(ErrorCode::kDamaged, "column \"{}\": shorter than its batch",
                        escaped(place.name));
    }
    column->cut_to(static_cast<std::size_t>(batch.length));
    columns.push_back(*std::move(column));
  }
  return columns;
}

}  // namespace bloomery
