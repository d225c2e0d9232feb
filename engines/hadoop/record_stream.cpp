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
  return write_all(value);
}

Result<void> RecordWriter::flush() {
  auto done = write_all(buffer_);
  buffer_.clear();
  return done;
}

Result<void> RecordWriter::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written =
        uninterrupted([&] { return ::write(descriptor_, bytes.data(), bytes.size()); });
    if (written < 0) return errno_error(errno, "records to Hadoop");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<bool> RecordReader::fill(std::size_t bytes) {
  if (end_ - begin_ >= bytes) return true;
  buffer_.erase(0, begin_);
  end_ -= begin_;
  begin_ = 0;
  while (end_ < bytes) {
    // No further than the stream goes: a length may be a lie.
    buffer_.resize(end_ + std::min(std::max(bytes - end_, kPipeBytes), 4 * kPipeBytes));
    const auto got = source_->read(std::span(buffer_).subspan(end_));
    if (!got) return got.error();
    if (*got == 0) break;
    end_ += *got;
  }
  if (end_ >= bytes) return true;
  if (end_ == 0) return false;
  return make_error(ErrorCode::kDamaged, "records from Hadoop: they end inside a record");
}

Result<bool> RecordReader::read_length(std::uint32_t& length) {
  const auto got = fill(sizeof length);
  if (!got || !*got) return got;
  length = load_be<std::uint32_t>(buffer_.data() + begin_);
  begin_ += sizeof length;
  if (length > kMaxLength) {
    return make_error(ErrorCode::kDamaged, "records from Hadoop: a negative length");
  }
  return true;
}

Result<std::optional<Record>> RecordReader::next() {
  const auto cut = [] {
    return make_error(ErrorCode::kDamaged, "records from Hadoop: they end inside a record");
  };
  std::uint32_t length = 0;
  auto got = read_length(length);
  if (!got) return got.error();
  if (!*got) return std::optional<Record>();
  got = fill(length);
  if (!got) return got.error();
  if (!*got && length > 0) return cut();
  key_.assign(buffer_, begin_, length);
  begin_ += length;
  got = read_length(length);
  if (!got) return got.error();
  if (!*got) return cut();
  got = fill(length);
  if (!got) return got.error();
  if (!*got && length > 0) return cut();
  const std::string_view value = std::string_view(buffer_).substr(begin_, length);
  begin_ += length;
  return std::optional(Record{key_, value});
}

}  // namespace bloomery::hadoop
