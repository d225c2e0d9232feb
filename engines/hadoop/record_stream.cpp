#include "engines/hadoop/record_stream.h"

#include <unistd.h>

#include <algorithm>
#include <span>

#include "base/error.h"
#include "base/file.h"
#include "engines/hadoop/big_endian.h"

namespace bloomery::hadoop {
namespace {

constexpr std::size_t kPipeBytes = std::size_t{256} << 10U;
// Lengths are signed in Java.
constexpr std::uint64_t kMaxLength = INT32_MAX;

Result<void> write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written =
        uninterrupted([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
    if (written < 0) return errno_error(errno, "records to Hadoop");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

Result<void> RecordWriter::put(std::string_view key, std::string_view value) {
  if (key.size() > kMaxLength || value.size() > kMaxLength) {
    return make_error(ErrorCode::kUnsupported, "a record of {} bytes; Hadoop takes 2^31 - 1",
                      std::max(key.size(), value.size()));
  }
  append_be(buffer_, static_cast<std::uint32_t>(key.size()));
  buffer_ += key;
  append_be(buffer_, static_cast<std::uint32_t>(value.size()));
  if (buffer_.size() + value.size() < kPipeBytes) {
    buffer_ += value;
    return {};
  }
  // Large values go out as they lie.
  if (auto done = flush(); !done) return done;
  return write_all(descriptor_, value);
}

Result<void> RecordWriter::flush() {
  auto done = write_all(descriptor_, buffer_);
  buffer_.clear();
  return done;
}

Result<std::string_view> RecordReader::take(std::size_t count) {
  const auto got = bytes_.fill(count);
  if (!got) return got.error();
  if (!*got) {
    return make_error(ErrorCode::kDamaged, "records from Hadoop: they end inside a record");
  }
  return bytes_.take(count);
}

Result<std::uint32_t> RecordReader::take_length() {
  const auto bytes = take(sizeof(std::uint32_t));
  if (!bytes) return bytes.error();
  const auto length = load_be<std::uint32_t>(bytes->data());
  if (length > kMaxLength) {
    return make_error(ErrorCode::kDamaged, "records from Hadoop: a negative length");
  }
  return length;
}

Result<std::optional<Record>> RecordReader::next() {
  const auto more = bytes_.fill(1);
  if (!more) return more.error();
  if (!*more) return std::optional<Record>();
  const auto key_length = take_length();
  if (!key_length) return key_length.error();
  const auto key = take(*key_length);
  if (!key) return key.error();
  key_ = *key;
  const auto value_length = take_length();
  if (!value_length) return value_length.error();
  const auto value = take(*value_length);
  if (!value) return value.error();
  return std::optional(Record{key_, *value});
}

}  // namespace bloomery::hadoop
