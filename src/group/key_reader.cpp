#include "group/key_reader.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include "base/endian.h"
#include "base/error.h"
#include "parse/csv_field.h"
#include "parse/sample.h"
#include "parse/utf8.h"
#include "split/record_end.h"

namespace bloomery {
namespace {

// Text is indexed this many bytes at a time: the text and its marks stay in the cache until they
// are walked.
constexpr std::size_t kSegmentBytes = std::size_t{32} << 10U;
constexpr std::size_t kArenaBytes = std::size_t{64} << 10U;

// \N is how databases write a value that is not there.
inline bool is_missing(std::string_view field) noexcept {
  if (field.size() > 2) [[likely]]
    return false;
  return field.empty() || field == "\\N";
}

bool has_nul(std::string_view text) noexcept {
  return text.find('\0') != std::string_view::npos;
}

// The wanted fields of one record, by the marks around them.
template <bool Quotes>
struct MarkedFields {
  const char* text;
  const std::uint32_t* mark;
  const std::uint32_t* wanted;
  std::string_view record;
  bool has_doubled;

  [[gnu::always_inline]] std::string_view operator()(std::size_t i, std::string& scratch) const {
    const std::uint32_t* const before = mark + wanted[i];
    const char* const begin = text + (before[0] + 1);
    // The last field ends before the CR, not at its mark.
    const char* const end = std::min(text + before[1], record.data() + record.size());
    const std::string_view raw(begin, static_cast<std::size_t>(end - begin));
    if constexpr (!Quotes) return raw;
    return has_doubled ? unquoted(raw, scratch) : without_quotes(raw);
  }
};

}  // namespace

KeyReader::KeyReader(const Recipe& recipe, ReadOptions options, KeySink sink)
    : options_(std::move(options)),
      sink_(std::move(sink)),
      grouper_(recipe, options_.max_groups),
      key_parts_(recipe.key.size()),
      has_group_(recipe.group.kind != GroupExpr::Kind::kNone),
      is_plain_(key_parts_ <= 1 && recipe.key_type == KeyType::kText && !options_.needs_text),
      key_type_(recipe.key_type),
      keys_(kBatchKeys),
      groups_(kBatchKeys),
      records_(options_.keeps_records ? kBatchKeys : 0) {
  arena_.reserve(kArenaBytes);
  if (!has_group_) only_group_ = grouper_.only_group();
}

void KeyReader::start_file(std::uint32_t file, std::string name, const FileShape& shape) {
  file_ = file;
  name_ = std::move(name);
  shape_ = &shape;
  counts_ = &tally_.file(file);
  if (shape.layout.format == TextFormat::kJson) json_ = JsonRecord(shape.wanted_names);
}

void KeyReader::start_columns(std::uint32_t file, std::string name) {
  file_ = file;
  name_ = std::move(name);
  shape_ = nullptr;
  counts_ = &tally_.file(file);
}

Result<void> KeyReader::read(std::span<const ArrowColumn> columns, std::uint64_t first) {
  if (failure_) return *failure_;
  const std::size_t rows = columns.front().size();
  counts_->read += rows;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!take_row(columns, row, first + row)) return *failure_;
  }
  flush();
  if (failure_) return *failure_;
  return {};
}

bool KeyReader::take_row(std::span<const ArrowColumn> columns, std::size_t row,
                         std::uint64_t number) {
  const auto field = [&](std::size_t i, std::string& scratch) {
    return columns[i].text(row, scratch);
  };
  Record record;
  record.offset = number;
  // What is shown of a record that is rejected is its key; a key of the column needs no copy.
  record.text = field(0, field_scratch_);
  if (record.text.data() == field_scratch_.data()) record.text = kept(record.text);
  if (!is_plain_) return take_made(record, field);
  return take<true>(record, [&](std::size_t i, std::string& scratch) {
    return i == 0 ? record.text : field(i, scratch);
  });
}

Result<void> KeyReader::read(const Piece& piece) {
  if (!piece.is_over_long) return read(piece.bytes, piece.offset);
  ++counts_->read;
  const Record record{piece.bytes, piece.offset, false};
  if (!reject(Reject::kOverLong, record, fmt::format("longer than {} bytes", options_.max_line))) {
    return *failure_;
  }
  return {};
}

Result<void> KeyReader::read(std::string_view text, std::uint64_t offset) {
  if (failure_) return *failure_;
  if (offset == 0 && text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
    offset += kByteOrderMark.size();
  }
  while (!text.empty()) {
    if (options_.check) {
      if (auto fine = options_.check(); !fine) return *(failure_ = fine.error());
    }
    const std::string_view segment = text.substr(0, kSegmentBytes);
    const bool is_last = segment.size() == text.size();
    const auto& layout = shape_->layout;
    index_.build(segment, {layout.delimiter, layout.quotes, layout.multiline}, is_last);
    std::size_t used = 0;
    if (index_.ends().empty()) {
      used = read_long_record(text, offset);
    } else {
      used = std::min<std::size_t>(std::size_t{index_.ends().back()} + 1, segment.size());
      read_segment(segment.substr(0, used), offset);
    }
    if (failure_) return *failure_;
    text.remove_prefix(used);
    offset += used;
  }
  flush();
  if (failure_) return *failure_;
  return {};
}

// A record that is longer than a segment. Returns its length with its line end.
std::size_t KeyReader::read_long_record(std::string_view text, std::uint64_t offset) {
  const auto& layout = shape_->layout;
  const std::size_t length = std::min(first_record_end(text, layout.multiline), text.size());
  const std::string_view record = text.substr(0, length);
  // Two more for the line end. Below that the walk finds out.
  if (length > options_.max_line + 2) {
    ++counts_->read;
    reject(Reject::kOverLong, record_at(record, offset, 0, length),
           fmt::format("longer than {} bytes", options_.max_line));
    return length;
  }
  index_.build(record, {layout.delimiter, layout.quotes, layout.multiline}, true);
  read_segment(record, offset);
  return length;
}

// Walks the records of `text`, whose index has been made.
bool KeyReader::read_segment(std::string_view text, std::uint64_t offset) {
  counts_->read += index_.ends().size();
  if (shape_->layout.format == TextFormat::kJson) return walk_json(text, offset);
  if (shape_->layout.quotes) return walk_delimited<true>(text, offset);
  return walk_delimited<false>(text, offset);
}

[[gnu::always_inline]] inline KeyReader::Record KeyReader::record_at(std::string_view text,
                                                                     std::uint64_t offset,
                                                                     std::size_t begin,
                                                                     std::size_t end) noexcept {
  Record record;
  record.lacks_end = end >= text.size();
  if (end > begin && text[end - 1] == '\r') --end;
  record.text = text.substr(begin, end - begin);
  record.offset = offset + begin;
  return record;
}

[[gnu::always_inline]] inline bool KeyReader::emit(std::string_view key, std::uint32_t group,
                                                   std::string_view record) {
  keys_[count_] = key;
  groups_[count_] = group;
  if (!records_.empty()) records_[count_] = record;
  ++count_;
  return count_ < kBatchKeys || flush();
}

template <bool MayCopy, typename Field>
[[gnu::always_inline]] inline bool KeyReader::take(const Record& record, const Field& field) {
  if (!is_plain_) [[unlikely]]
    return take_made(record, field);
  std::string_view key = key_parts_ == 0 ? record.text : field(0, key_scratch_);
  std::uint32_t group = only_group_;
  if (is_missing(key)) return miss();
  if (has_group_) {
    const std::string_view name = field(key_parts_, group_scratch_);
    if (is_missing(name)) return miss();
    group = grouper_.index_of(name);
    if (!Grouper::is_index(group)) [[unlikely]]
      return reject_group(record, name, group);
  }
  if constexpr (MayCopy) {
    const std::less<> before;
    const char* const text_end = record.text.data() + record.text.size();
    if (before(key.data(), record.text.data()) || !before(key.data(), text_end)) key = kept(key);
  }
  return emit(key, group, record.text);
}

template <bool Quotes>
bool KeyReader::walk_delimited(std::string_view text, std::uint64_t offset) {
  const std::uint32_t fields = shape_->fields;
  const std::uint32_t* const wanted = shape_->wanted.data();
  const std::size_t header_length = shape_->header.empty() ? SIZE_MAX : shape_->header.size();
  // The mark before the record; field i lies between marks i and i + 1 from there.
  const std::uint32_t* mark = index_.marks().data();
  const std::uint32_t* const last_mark = mark + index_.marks().size() - 1;
  const std::uint32_t* broken = index_.broken().data();
  const std::uint32_t* const last_broken = broken + index_.broken().size();
  const bool has_doubled = index_.has_doubled_quotes();
  for (const std::uint32_t end : index_.ends()) {
    const Record record = record_at(text, offset, *mark + 1, end);
    const bool is_broken = Quotes && broken != last_broken && *broken <= end;
    const bool has_fields =
        fields <= static_cast<std::size_t>(last_mark - mark) && mark[fields] == end;
    if (!has_fields || is_broken || record.text.empty() || record.text.size() == header_length ||
        record.text.size() > options_.max_line) [[unlikely]] {
      const std::uint32_t* const end_mark = std::find(mark + 1, last_mark, end);
      while (Quotes && broken != last_broken && *broken <= end) ++broken;
      const Verdict verdict = judge(record, is_broken, static_cast<std::uint64_t>(end_mark - mark));
      if (verdict == Verdict::kFailed) return false;
      if (verdict == Verdict::kCounted) {
        mark = end_mark;
        continue;
      }
    }
    const MarkedFields<Quotes> field{text.data(), mark, wanted, record.text, has_doubled};
    if (!take<Quotes>(record, field)) return false;
    mark += fields;
  }
  return true;
}

bool KeyReader::walk_json(std::string_view text, std::uint64_t offset) {
  std::size_t begin = 0;
  for (const std::uint32_t end : index_.ends()) {
    const Record record = record_at(text, offset, begin, end);
    begin = std::size_t{end} + 1;
    if (record.text.empty() || record.text.size() > options_.max_line) [[unlikely]] {
      if (judge(record, false, 0) == Verdict::kFailed) return false;
      continue;
    }
    const JsonStatus status = json_.read(record.text);
    if (status != JsonStatus::kGood) [[unlikely]] {
      if (!reject_json(record, status)) return false;
      continue;
    }
    const auto field = [&](std::size_t i, std::string& /*scratch*/) { return json_.field(i); };
    if (!take<true>(record, field)) return false;
  }
  return true;
}

// Puts the key together in key_scratch_. False when a part of it is missing.
template <typename Field>
bool KeyReader::join_key(const Record& record, const Field& field) {
  key_scratch_.clear();
  if (key_parts_ == 0) key_scratch_ = record.text;
  for (std::size_t i = 0; i < key_parts_; ++i) {
    const std::string_view part = field(i, field_scratch_);
    if (is_missing(part)) return false;
    if (i > 0) key_scratch_ += kKeySeparator;
    key_scratch_ += part;
  }
  return !is_missing(key_scratch_);
}

// A key that has to be made: of several fields, or of a number; or one that has to be looked at.
template <typename Field>
bool KeyReader::take_made(const Record& record, const Field& field) {
  if (!join_key(record, field)) return miss();
  std::string_view name;
  if (has_group_) {
    name = field(key_parts_, group_scratch_);
    if (is_missing(name)) return miss();
  }
  if (options_.needs_text) {
    if (has_nul(key_scratch_) || has_nul(name)) {
      return reject(Reject::kNulByte, record, "key or group holds a NUL byte");
    }
    if (!is_utf8(key_scratch_) || !is_utf8(name)) {
      return reject(Reject::kBadUtf8, record, "key or group is not UTF-8");
    }
  }
  const std::uint32_t group = has_group_ ? grouper_.index_of(name) : only_group_;
  if (!Grouper::is_index(group)) return reject_group(record, name, group);
  if (key_type_ != KeyType::kText && !make_number_key(key_type_, key_scratch_)) {
    return reject(Reject::kKeyNotNumber, record,
                  fmt::format("key \"{}\" is not a number {}", escaped(key_scratch_, 40),
                              key_type_ == KeyType::kU64 ? "below 2^64" : "of 64 bits"));
  }
  return emit(kept(key_scratch_), group, record.text);
}

namespace {

template <typename Number>
bool to_bytes_of(std::string& key) {
  Number number = 0;
  const char* const end = key.data() + key.size();
  const auto [rest, error] = std::from_chars(key.data(), end, number);
  if (error != std::errc() || rest != end) return false;
  key.resize(sizeof number);
  store_le(key.data(), number);
  return true;
}

}  // namespace

bool make_number_key(KeyType type, std::string& key) {
  return type == KeyType::kU64 ? to_bytes_of<std::uint64_t>(key) : to_bytes_of<std::int64_t>(key);
}

bool KeyReader::miss() noexcept {
  ++counts_->missing;
  return true;
}

// A copy of `bytes` that stays until the batch has been used.
std::string_view KeyReader::kept(std::string_view bytes) {
  if (arena_.size() + bytes.size() > arena_.capacity()) {
    flush();
    arena_.reserve(bytes.size());
  }
  arena_ += bytes;
  return std::string_view(arena_).substr(arena_.size() - bytes.size());
}

bool KeyReader::flush() {
  const std::size_t count = std::exchange(count_, 0);
  counts_->used += count;
  if (count > 0 && !failure_) {
    const auto records = std::span<const std::string_view>(records_);
    const auto taken = sink_({std::span(keys_).first(count), std::span(groups_).first(count),
                              records.empty() ? records : records.first(count)});
    if (!taken) failure_ = taken.error();
  }
  arena_.clear();
  return !failure_;
}

}  // namespace bloomery
