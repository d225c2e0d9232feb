// A second parser of quoted records, as simple as can be: one state, one byte at a time. Fuzzing
// and tests compare the fast one with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery {

// The fields of a record without its line end, by the grammar of RFC 4180; nothing when it breaks
// it.
inline std::optional<std::vector<std::string>> simple_fields(std::string_view record,
                                                             char delimiter, bool quotes) {
  enum class State : std::uint8_t { kStart, kPlain, kQuoted, kClosed };
  std::vector<std::string> fields(1);
  State state = State::kStart;
  for (const char c : record) {
    if (state == State::kQuoted) {
      if (c == '"') {
        state = State::kClosed;
      } else {
        fields.back() += c;
      }
    } else if (c == delimiter) {
      fields.emplace_back();
      state = State::kStart;
    } else if (!quotes || (c != '"' && state != State::kClosed)) {
      fields.back() += c;
      state = State::kPlain;
    } else if (c == '"' && state == State::kStart) {
      state = State::kQuoted;
    } else if (c == '"' && state == State::kClosed) {
      fields.back() += '"';
      state = State::kQuoted;
    } else {
      return std::nullopt;
    }
  }
  if (state == State::kQuoted) return std::nullopt;
  return fields;
}

// The records of a text, without line ends and one trailing CR, and without a byte-order mark at
// the start.
inline std::vector<std::string> simple_records(std::string_view text) {
  std::vector<std::string> records;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string record;
  const auto finish = [&] {
    if (record.ends_with('\r')) record.pop_back();
    records.push_back(record);
    record.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      finish();
    } else {
      record += text[i];
      if (i + 1 == text.size()) finish();
    }
  }
  return records;
}

}  // namespace bloomery
