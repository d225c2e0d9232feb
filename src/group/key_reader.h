// Records to (group, key), in batches: everything that comes before hashing, for every engine.
//
//   takes   text that consists of whole records, and the recipe
//   gives   batches of keys and group indexes, to a sink; groups and a tally at the end
//
// Keys are views of the text wherever they stand in it as they are, so the common record is never
// copied. The price: a batch is good only while the sink runs.
//
// A reader belongs to one thread. Tasks have one each, and merge their tallies and, by name, their
// groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "group/grouper.h"
#include "group/recipe.h"
#include "parse/arrow_column.h"
#include "parse/json_record.h"
#include "parse/mark_index.h"
#include "parse/shape.h"
#include "parse/tally.h"
#include "split/piece_reader.h"

namespace bloomery {

// Keys of records that were used, in the order of the text. All spans have the same length, but for
// `records`, which is empty unless it was asked for.
struct KeyBatch {
  std::span<const std::string_view> keys;
  std::span<const std::uint32_t> groups;  // indexes into KeyReader::groups()
  std::span<const std::string_view> records;
};

// An error ends the reading.
using KeySink = std::function<Result<void>(const KeyBatch&)>;

struct ReadOptions {
  std::uint64_t max_line = kDefaultMaxLine;
  std::uint64_t max_groups = kDefaultMaxGroups;
  bool is_strict = false;      // the first rejected record ends the reading
  bool needs_text = false;     // reject keys and groups with NUL bytes or bytes that are not UTF-8
  bool keeps_records = false;  // fill KeyBatch::records
  // Called for every 32 KiB of text or so, whatever becomes of the records; an error ends the
  // reading.
  std::function<Result<void>()> check;
  // Called for every rejected record, with up to `reject_bytes` of its text.
  std::function<void(const RejectedRecord&)> on_reject;
  std::size_t reject_bytes = 200;
};

class KeyReader {
 public:
  static constexpr std::size_t kBatchKeys = 1024;

  KeyReader(const Recipe& recipe, ReadOptions options, KeySink sink);

  // What follows comes from the input at place `file` of the list of inputs. `shape` is shape_for()
  // of the recipe and must stay while the file is read; `name` is for messages.
  void start_file(std::uint32_t file, std::string name, const FileShape& shape);

  // Reads all records of `text`, which starts at a record's start, `offset` bytes into the file,
  // and ends at a record's end. All batches have been given to the sink when it returns. After an
  // error nothing more can be read and the tally does not count.
  Result<void> read(std::string_view text, std::uint64_t offset);
  // The same for a piece, which may be the beginning of a record that is too long.
  Result<void> read(const Piece& piece);

  // Records whose fields lie in columns, in the order of wanted_columns(): all of the same length.
  // `first` is the number of the first record, which takes the place of an offset.
  void start_columns(std::uint32_t file, std::string name);
  Result<void> read(std::span<const ArrowColumn> columns, std::uint64_t first);

  [[nodiscard]] const GroupTable& groups() const noexcept { return grouper_.groups(); }
  [[nodiscard]] const Tally& tally() const noexcept { return tally_; }

 private:
  // One record on its way.
  struct Record {
    std::string_view text;  // without its line end
    std::uint64_t offset = 0;
    bool lacks_end = false;
  };

  // How a record that is not as most are is to be taken.
  enum class Verdict : std::uint8_t { kUsable, kCounted, kFailed };

  // These return false when the reading is over because of failure_.
  bool read_segment(std::string_view text, std::uint64_t offset);
  template <bool Quotes>
  bool walk_delimited(std::string_view text, std::uint64_t offset);
  bool walk_json(std::string_view text, std::uint64_t offset);
  bool take_row(std::span<const ArrowColumn> columns, std::size_t row, std::uint64_t number);
  template <bool MayCopy, typename Field>
  bool take(const Record& record, const Field& field);
  template <typename Field>
  bool join_key(const Record& record, const Field& field);
  template <typename Field>
  bool take_made(const Record& record, const Field& field);
  bool miss() noexcept;
  bool reject(Reject category, const Record& record, std::string reason);
  bool reject_group(const Record& record, std::string_view name, std::uint32_t result);
  bool reject_json(const Record& record, JsonStatus status);
  bool emit(std::string_view key, std::uint32_t group, std::string_view record);
  bool flush();

  std::size_t read_long_record(std::string_view text, std::uint64_t offset);
  static Record record_at(std::string_view text, std::uint64_t offset, std::size_t begin,
                          std::size_t end) noexcept;
  Verdict judge(const Record& record, bool is_broken, std::uint64_t fields);
  std::string_view kept(std::string_view bytes);

  ReadOptions options_;
  KeySink sink_;
  Grouper grouper_;
  Tally tally_;
  MarkIndex index_;
  JsonRecord json_{{}};
  std::size_t key_parts_;
  bool has_group_;
  bool is_plain_;  // the key is one field, taken as it is
  KeyType key_type_;
  std::uint32_t only_group_ = 0;

  std::uint32_t file_ = 0;
  std::string name_;
  const FileShape* shape_ = nullptr;  // none for columns
  FileTally* counts_ = nullptr;

  std::vector<std::string_view> keys_;
  std::vector<std::uint32_t> groups_;
  std::vector<std::string_view> records_;
  std::size_t count_ = 0;
  std::string arena_;  // keys of this batch that do not stand in the text as they are
  std::string key_scratch_;
  std::string field_scratch_;
  std::string group_scratch_;
  std::optional<Error> failure_;
};

// Turns the text of a number into the 8 bytes that stand for it as a key, little-endian. False,
// changing nothing, for a text that is none. Requires a type that is not KeyType::kText.
[[nodiscard]] bool make_number_key(KeyType type, std::string& key);

}  // namespace bloomery
