#include "engines/hadoop/sequence_file.h"

#include "base/error.h"
#include "engines/hadoop/big_endian.h"

namespace bloomery::hadoop {
namespace {

constexpr std::string_view kBytes = "org.apache.hadoop.io.BytesWritable";
constexpr std::size_t kMarkerBytes = 16;
// Of class names and metadata: more is damage.
constexpr std::int64_t kMaxText = 1 << 20;
constexpr std::int32_t kMaxMetadata = 10'000;
// Ours are far smaller.
constexpr std::int32_t kMaxRecord = 1 << 30;

}  // namespace

Error SequenceFileReader::damaged(std::string_view what) const {
  return make_error(ErrorCode::kDamaged, "{}: {}; run the job again", escaped(name_, 4096), what);
}

Result<std::string_view> SequenceFileReader::take(std::size_t count) {
  const auto got = bytes_.fill(count);
  if (!got) return got.error();
  if (!*got) return damaged("ends too early");
  return bytes_.take(count);
}

Result<std::int32_t> SequenceFileReader::take_int() {
  const auto bytes = take(4);
  if (!bytes) return bytes.error();
  return static_cast<std::int32_t>(load_be<std::uint32_t>(bytes->data()));
}

// Hadoop's variable length: small numbers in one byte, else a byte that says how many follow.
Result<std::int64_t> SequenceFileReader::take_vint() {
  auto byte = take(1);
  if (!byte) return byte.error();
  const auto first = static_cast<std::int8_t>(byte->front());
  if (first >= -112) return std::int64_t{first};
  const bool is_negative = first < -120;
  const auto size = static_cast<std::size_t>(is_negative ? -(first + 120) : -(first + 112));
  const auto bytes = take(size);
  if (!bytes) return bytes.error();
  std::uint64_t value = 0;
  for (const char c : *bytes) value = value * 256U + static_cast<std::uint8_t>(c);
  return static_cast<std::int64_t>(is_negative ? ~value : value);
}

Result<std::string> SequenceFileReader::take_text() {
  const auto size = take_vint();
  if (!size) return size.error();
  if (*size < 0 || *size > kMaxText) return damaged("a text of no possible length");
  const auto text = take(static_cast<std::size_t>(*size));
  if (!text) return text.error();
  return std::string(*text);
}

Result<void> SequenceFileReader::read_head() {
  const auto magic = take(4);
  if (!magic) return magic.error();
  if (*magic != std::string_view("SEQ\x06", 4)) return damaged("not a sequence file of version 6");
  for (int i = 0; i < 2; ++i) {
    const auto name = take_text();
    if (!name) return name.error();
    if (*name != kBytes) return damaged(fmt::format("holds {}, not bytes", escaped(*name)));
  }
  const auto flags = take(2);
  if (!flags) return flags.error();
  if (*flags != std::string_view("\0\0", 2)) return damaged("is compressed");
  const auto pairs = take_int();
  if (!pairs) return pairs.error();
  if (*pairs < 0 || *pairs > kMaxMetadata) return damaged("metadata that make no sense");
  for (std::int32_t i = 0; i < *pairs * 2; ++i) {
    if (const auto text = take_text(); !text) return text.error();
  }
  const auto marker = take(kMarkerBytes);
  if (!marker) return marker.error();
  marker_ = *marker;
  return {};
}

Result<SequenceFileReader> SequenceFileReader::open(std::unique_ptr<ByteSource> source,
                                                    std::string name) {
  SequenceFileReader reader(std::move(source), std::move(name));
  if (const auto head = reader.read_head(); !head) return head.error();
  return reader;
}

Result<std::optional<Record>> SequenceFileReader::next() {
  const auto more = bytes_.fill(1);
  if (!more) return more.error();
  if (!*more) return std::optional<Record>();
  auto length = take_int();
  if (length && *length == -1) {
    const auto marker = take(kMarkerBytes);
    if (!marker) return marker.error();
    if (*marker != marker_) return damaged("a wrong marker");
    length = take_int();
  }
  if (!length) return length.error();
  const auto key_length = take_int();
  if (!key_length) return key_length.error();
  // Both are BytesWritable: each begins with its own length.
  if (*length < 8 || *length > kMaxRecord || *key_length < 4 || *key_length > *length - 4) {
    return damaged("lengths that make no sense");
  }
  const auto bytes = take(static_cast<std::size_t>(*length));
  if (!bytes) return bytes.error();
  const std::string_view key = bytes->substr(0, static_cast<std::size_t>(*key_length));
  const std::string_view value = bytes->substr(key.size());
  if (load_be<std::uint32_t>(key.data()) != key.size() - 4 ||
      load_be<std::uint32_t>(value.data()) != value.size() - 4) {
    return damaged("lengths that contradict each other");
  }
  return std::optional(Record{key.substr(4), value.substr(4)});
}

}  // namespace bloomery::hadoop
