// A table of results, in every form a command can print.
//
//   takes   cells: a value for programs and a text for people
//   gives   aligned text, CSV, TSV, Markdown or JSON
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/json.h"

namespace bloomery::cli {

enum class Format : std::uint8_t { kTable, kCsv, kTsv, kJson, kMarkdown };

struct Cell {
  Json value = {};         // null: nothing to say
  std::string shown = {};  // for people
  bool is_bytes = false;   // `shown` holds bytes of any value, and there is no `value`
  bool is_alarm = false;   // to be seen first

  static Cell text(std::string text);
  static Cell bytes(std::string_view bytes);
  static Cell count(std::uint64_t number);
  static Cell number(double number);
  static Cell rate(double share);  // a share as a percentage
  static Cell size(std::uint64_t bytes);
  static Cell flag(bool value, std::string_view yes, std::string_view no);
};

struct Column {
  std::string name;        // of JSON and CSV: "estimated_keys"; empty: not for programs
  std::string title = {};  // for people; empty: not shown to them
  bool is_text = false;    // aligned left
};

struct Table {
  std::string name = {};  // of the array in JSON
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};
};

// Groups that are numbers, in the order of the numbers: banks have them in the order of bytes.
// Where columns before say whose groups they are, each by itself.
[[nodiscard]] Table in_order_for_people(Table table);

// `is_colored` only matters to kTable. kJson is not for this function: see to_json().
[[nodiscard]] std::string to_text(const Table& table, Format format, bool is_colored);
// The rows without the heading, for a table that is printed part by part. Not for kTable, whose
// columns are as wide as the widest cell, nor for kJson.
[[nodiscard]] std::string rows_text(const Table& table, Format format);
[[nodiscard]] Json to_json(const Table& table);

}  // namespace bloomery::cli
