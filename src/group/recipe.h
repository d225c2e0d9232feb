// How keys and groups are made from records: what the user asked for, apart from where it is read.
//
//   takes   the texts of --key, --group, --group-range and --key-type
//   gives   a Recipe, to the reader; and the texts that go into the bank
//
// A recipe says nothing about formats or delimiters, so that a CSV, three CSVs and a table with the
// same keys give one bank. Columns stay as they were typed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "parse/layout.h"
#include "parse/shape.h"

namespace bloomery {

struct GroupExpr {
  enum class Kind : std::uint8_t {
    kNone,    // one group, "all"
    kColumn,  // the field as it stands
    kRound,   // to the nearest whole number, half up
    kFloor,   // to the whole number below
    kPrefix,  // the first bytes of the field
  };
  Kind kind = Kind::kNone;
  ColumnRef column;
  std::uint32_t prefix = 0;

  // Whether groups are whole numbers.
  [[nodiscard]] bool is_whole_number() const noexcept {
    return kind == Kind::kRound || kind == Kind::kFloor;
  }
  friend bool operator==(const GroupExpr&, const GroupExpr&) = default;
};

// The group of records when nothing says otherwise.
inline constexpr std::string_view kOnlyGroup = "all";

// "", "none", "COLUMN", "round(COLUMN)", "floor(COLUMN)", "prefix(COLUMN,N)".
Result<GroupExpr> parse_group(std::string_view text);
[[nodiscard]] std::string to_string(const GroupExpr& group);

enum class KeyType : std::uint8_t {
  kText,  // the bytes of the field
  kU64,   // the field is a decimal number below 2^64, the key its 8 bytes, little-endian
  kI64,   // the same from -2^63 up to below 2^63: a long of Java and SQL
};

// Both ends are in the range. Decimal texts.
struct GroupRange {
  std::string low;
  std::string high;
  friend bool operator==(const GroupRange&, const GroupRange&) = default;
};

// What lies between the parts of a key that is made of several fields.
inline constexpr char kKeySeparator = '\x1f';

// Names and texts, as TextMap of the public bank.h.
using RecipeText = std::map<std::string, std::string, std::less<>>;

struct Recipe {
  std::vector<ColumnRef> key;  // none: the whole record
  GroupExpr group;
  std::optional<GroupRange> range;
  KeyType key_type = KeyType::kText;

  friend bool operator==(const Recipe&, const Recipe&) = default;
};

// Reads "key", "group", "group-range" ("1..10") and "key-type" ("text", "u64", "i64"); any may be
// absent. Fails, naming the text, for what has no meaning, and for a name it does not know.
Result<Recipe> parse_recipe(const RecipeText& text);
// What parse_recipe() reads back; equal recipes give equal texts.
[[nodiscard]] RecipeText to_text(const Recipe& recipe);

// The columns a recipe needs, in the order KeyReader expects them in FileShape::wanted: those of
// the key, then the group's.
[[nodiscard]] std::vector<ColumnRef> wanted_columns(const Recipe& recipe);

// The shape of a file for this recipe: shape_of() with wanted_columns(). Without a key column
// records are plain lines, unless the options name another format.
Result<FileShape> shape_for(const Recipe& recipe, std::string_view text, LayoutOptions options,
                            std::string_view name);

}  // namespace bloomery
