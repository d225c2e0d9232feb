#include "input/content.h"

#include <array>

#include "base/error.h"

namespace bloomery {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  Content content;
};

constexpr std::array kMagics{
    Magic{"\x1f\x8b"sv, Content::kGzip},
    Magic{"\x28\xb5\x2f\xfd"sv, Content::kZstd},
    Magic{"PAR1"sv, Content::kParquet},
    Magic{"ORC"sv, Content::kOrc},
    Magic{"Obj\x01"sv, Content::kAvro},
    Magic{"PK\x03\x04"sv, Content::kZip},
    Magic{"PK\x05\x06"sv, Content::kZip},
    Magic{"\xfd"
          "7zXZ\0"sv,
          Content::kXz},
    Magic{"\x04\x22\x4d\x18"sv, Content::kLz4},
    Magic{"\x89"
          "BLM\r\n\x1a\n"sv,
          Content::kBank},
};

// "BZh", a level from 1 to 9, and the start of a block or of the end: three letters and a digit
// alone could be the first word of a text.
bool is_bzip2(std::string_view bytes) noexcept {
  return bytes.size() >= 10 && bytes.starts_with("BZh"sv) && bytes[3] >= '1' && bytes[3] <= '9' &&
         (bytes.substr(4, 6) == "1AY&SY"sv || bytes.substr(4, 6) == "\x17\x72\x45\x38\x50\x90"sv);
}

// A file of which the first frame is one to skip: 50 to 5f 2a 4d 18.
bool is_skippable_zstd(std::string_view bytes) noexcept {
  return bytes.size() >= 4 && (static_cast<std::uint8_t>(bytes[0]) & 0xF0U) == 0x50U &&
         bytes.substr(1, 3) == "\x2a\x4d\x18"sv;
}

}  // namespace

Content recognise(std::string_view first_bytes) noexcept {
  for (const Magic& magic : kMagics) {
    if (!first_bytes.starts_with(magic.bytes)) continue;
    // Three letters that a list of words may begin with: ORC files go on with compressed bytes.
    if (magic.content == Content::kOrc && first_bytes.size() > 3 &&
        static_cast<std::uint8_t>(first_bytes[3]) >= 0x09 &&
        static_cast<std::uint8_t>(first_bytes[3]) < 0x7F) {
      continue;
    }
    return magic.content;
  }
  if (is_bzip2(first_bytes)) return Content::kBzip2;
  if (is_skippable_zstd(first_bytes)) return Content::kZstd;
  return Content::kText;
}

std::string_view to_string(Content content) noexcept {
  switch (content) {
    case Content::kText:
      return "text";
    case Content::kGzip:
      return "gzip";
    case Content::kZstd:
      return "zstd";
    case Content::kParquet:
      return "Parquet";
    case Content::kOrc:
      return "ORC";
    case Content::kAvro:
      return "Avro";
    case Content::kZip:
      return "zip";
    case Content::kBzip2:
      return "bzip2";
    case Content::kXz:
      return "xz";
    case Content::kLz4:
      return "lz4";
    case Content::kBank:
      return "bank";
  }
  return "text";
}

Result<void> check_readable(Content content, std::string_view name) {
  const auto refuse = [&](std::string_view remedy) {
    return make_error(ErrorCode::kUnsupported, "{}: is {}, which this command does not read; {}",
                      escaped(name), to_string(content), remedy);
  };
  switch (content) {
    case Content::kText:
    case Content::kGzip:
    case Content::kZstd:
      return {};
    case Content::kParquet:
    case Content::kOrc:
    case Content::kAvro:
      return refuse(
          "the Python package does (import bloomery; it takes Arrow tables), or write it as CSV");
    case Content::kZip:
      return refuse("unpack it and pipe it in: unzip -p FILE | bloomery ... -");
    case Content::kBzip2:
      return refuse("pipe it in: bzip2 -dc FILE | bloomery ... -");
    case Content::kXz:
      return refuse("pipe it in: xz -dc FILE | bloomery ... -");
    case Content::kLz4:
      return refuse("pipe it in: lz4 -dc FILE | bloomery ... -");
    case Content::kBank:
      return refuse("it is what build makes, and inspect shows it");
  }
  return {};
}

}  // namespace bloomery
