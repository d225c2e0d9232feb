#include "cli/output/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/error.h"
#include "cli/output/numbers.h"

namespace bloomery::cli {
namespace {

// How wide a text is on a terminal: its code points, which is right for all but rare scripts.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<std::uint8_t>(c) & 0xC0U) != 0x80; }));
}

std::string shown(const Cell& cell) {
  return cell.is_bytes ? escaped(cell.shown, SIZE_MAX) : cell.shown;
}

// For CSV and TSV: as programs want it, a null as nothing.
std::string plain(const Cell& cell) {
  if (cell.is_bytes) return cell.shown;
  if (cell.value.is_null()) return {};
  // The shortest digits that give the number back: those of Json::dump are not always so.
  if (cell.value.is_number_float()) return fmt::format("{}", cell.value.get<double>());
  return cell.value.is_string() ? cell.value.get<std::string>() : cell.value.dump();
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

template <typename TextOf>
std::string delimited_line(const Table& table, char delimiter, const TextOf& text_of) {
  std::string line;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name.empty()) continue;
    if (i > 0) line += delimiter;
    line += text_of(i);
  }
  return line + "\n";
}

std::string delimited_head(const Table& table, char delimiter) {
  return delimited_line(table, delimiter, [&](std::size_t i) { return table.columns[i].name; });
}

std::string delimited_rows(const Table& table, char delimiter) {
  // TSV knows no quotes, so what would break a record is escaped.
  const auto field = [&](const Cell& cell) {
    if (delimiter == ',') return csv_field(plain(cell));
    return cell.is_bytes ? escaped(cell.shown, SIZE_MAX) : plain(cell);
  };
  std::string out;
  for (const auto& row : table.rows) {
    out += delimited_line(table, delimiter, [&](std::size_t i) { return field(row[i]); });
  }
  return out;
}

void append_aligned(std::string& out, const std::string& text, std::size_t width, bool is_text) {
  const std::string padding(width - std::min(width, width_of(text)), ' ');
  out += is_text ? text + padding : padding + text;
}

std::vector<std::size_t> widths_of(const Table& table) {
  std::vector<std::size_t> widths;
  widths.reserve(table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t width = width_of(table.columns[i].title);
    for (const auto& row : table.rows) width = std::max(width, width_of(shown(row[i])));
    widths.push_back(width);
  }
  return widths;
}

// Columns as wide as their widest cell, two spaces between them, no space at the end of a line.
std::string aligned(const Table& table, bool is_colored) {
  const std::vector<std::size_t> widths = widths_of(table);
  std::string out;
  const auto add_line = [&](const auto& text_of, const auto& color_of) {
    std::string line;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].title.empty()) continue;
      if (!line.empty()) line += "  ";
      const std::string_view color = is_colored ? color_of(i) : std::string_view();
      std::string field;
      append_aligned(field, text_of(i), widths[i], table.columns[i].is_text);
      if (color.empty()) {
        line += field;
      } else {
        line += std::string(color) + field + "\x1b[0m";
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  add_line([&](std::size_t i) { return table.columns[i].title; },
           [](std::size_t) { return std::string_view("\x1b[1m"); });
  for (const auto& row : table.rows) {
    add_line([&](std::size_t i) { return shown(row[i]); },
             [&](std::size_t i) { return std::string_view(row[i].is_alarm ? "\x1b[31m" : ""); });
  }
  return out;
}

template <typename TextOf>
std::string markdown_line(const Table& table, const TextOf& text_of) {
  std::string out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].title.empty()) continue;
    std::string text = text_of(i);
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
      text.insert(at, 1, '\\');
    }
    out += "| " + text + " ";
  }
  return out + "|\n";
}

std::string markdown_head(const Table& table) {
  return markdown_line(table, [&](std::size_t i) { return table.columns[i].title; }) +
         markdown_line(table,
                       [&](std::size_t i) { return table.columns[i].is_text ? "---" : "--:"; });
}

std::string markdown_rows(const Table& table) {
  std::string out;
  for (const auto& row : table.rows) {
    out += markdown_line(table, [&](std::size_t i) { return shown(row[i]); });
  }
  return out;
}

}  // namespace

Table in_order_for_people(Table table) {
  const auto column = std::ranges::find(table.columns, "group", &Column::name);
  if (column == table.columns.end()) return table;
  const auto at = static_cast<std::size_t>(column - table.columns.begin());
  const auto number_of = [at](const std::vector<Cell>& row) {
    std::int64_t number = 0;
    const std::string& name = row[at].shown;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_number = error == std::errc{} && end == name.data() + name.size();
    return is_number ? std::optional(number) : std::nullopt;
  };
  const bool are_numbers =
      std::ranges::all_of(table.rows, [&](const auto& row) { return number_of(row).has_value(); });
  if (!are_numbers) return table;
  // Each bank by itself, where a column before says which.
  const auto is_other_bank = [at](const auto& a, const auto& b) {
    return !std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(at), b.begin(),
                       [](const Cell& x, const Cell& y) { return x.shown == y.shown; });
  };
  for (auto begin = table.rows.begin(); begin != table.rows.end();) {
    auto end = std::adjacent_find(begin, table.rows.end(), is_other_bank);
    if (end != table.rows.end()) ++end;
    std::ranges::stable_sort(begin, end, {}, number_of);
    begin = end;
  }
  return table;
}

Cell Cell::text(std::string text) {
  Cell cell{.value = text};
  cell.shown = std::move(text);
  return cell;
}

Cell Cell::bytes(std::string_view bytes) {
  return {.shown = std::string(bytes), .is_bytes = true};
}

Cell Cell::count(std::uint64_t number) {
  return {.value = number, .shown = grouped(number)};
}

Cell Cell::number(double number) {
  if (!std::isfinite(number)) return {.shown = "-"};
  return {.value = number, .shown = short_number(number)};
}

Cell Cell::rate(double share) {
  if (!std::isfinite(share)) return {.shown = "-"};
  return {.value = share, .shown = percent(share)};
}

Cell Cell::size(std::uint64_t bytes) {
  return {.value = bytes, .shown = size_text(bytes)};
}

Cell Cell::flag(bool value, std::string_view yes, std::string_view no) {
  return {.value = value, .shown = std::string(value ? yes : no), .is_alarm = !value};
}

std::string to_text(const Table& table, Format format, bool is_colored) {
  switch (format) {
    case Format::kCsv:
      return delimited_head(table, ',') + rows_text(table, format);
    case Format::kTsv:
      return delimited_head(table, '\t') + rows_text(table, format);
    case Format::kMarkdown:
      return markdown_head(table) + rows_text(in_order_for_people(table), format);
    default:
      return aligned(in_order_for_people(table), is_colored);
  }
}

std::string rows_text(const Table& table, Format format) {
  if (format == Format::kMarkdown) return markdown_rows(table);
  return delimited_rows(table, format == Format::kCsv ? ',' : '\t');
}

Json to_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].name.empty()) continue;
      if (row[i].is_bytes) {
        put_bytes(object, table.columns[i].name, row[i].shown);
      } else {
        object[table.columns[i].name] = row[i].value;
      }
    }
    rows.push_back(std::move(object));
  }
  return rows;
}

}  // namespace bloomery::cli
