#include "input/content.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace bloomery {
namespace {

using namespace std::string_view_literals;

// Letters that a list of words may begin with count only where bytes follow that no text has.
enum class Letters : bool { kNo, kYes };

struct Known {
  Content content;
  std::string_view magic;
  Nature nature;
  std::string_view name;
  std::string_view noun;
  std::string_view remedy;  // for those who want its records
  Letters letters = Letters::kNo;
};

constexpr std::string_view kReadable;
constexpr std::string_view kByPython =
    "the Python package does (import bloomery; it takes Arrow tables), or write it as CSV";
constexpr std::string_view kFromUtf16 =
    "pipe it in: iconv -f UTF-16 -t UTF-8 FILE | bloomery ... -";
constexpr std::string_view kUnzip = "unpack it and pipe it in: unzip -p FILE | bloomery ... -";
constexpr std::string_view kCheckPath = "check the path";

// What files begin with. Of two that begin alike, the longer comes first.
constexpr std::array kKnown{
    Known{Content::kGzip, "\x1f\x8b"sv, Nature::kCompressed, "gzip", "gzip data", kReadable},
    Known{Content::kZstd, "\x28\xb5\x2f\xfd"sv, Nature::kCompressed, "zstd", "zstd data",
          kReadable},
    Known{Content::kBank,
          "\x89"
          "BLM\r\n\x1a\n"sv,
          Nature::kBank, "bank", "a bank", "it is what build makes, and inspect shows it"},
    Known{Content::kUtf16, "\xff\xfe"sv, Nature::kData, "UTF-16", "UTF-16 text", kFromUtf16},
    Known{Content::kUtf16, "\xfe\xff"sv, Nature::kData, "UTF-16", "UTF-16 text", kFromUtf16},
    Known{Content::kBzip2, "BZh"sv, Nature::kCompressed, "bzip2", "bzip2 data",
          "pipe it in: bzip2 -dc FILE | bloomery ... -", Letters::kYes},
    Known{Content::kXz,
          "\xfd"
          "7zXZ\0"sv,
          Nature::kCompressed, "xz", "xz data", "pipe it in: xz -dc FILE | bloomery ... -"},
    Known{Content::kLz4, "\x04\x22\x4d\x18"sv, Nature::kCompressed, "lz4", "lz4 data",
          "pipe it in: lz4 -dc FILE | bloomery ... -"},
    Known{Content::kSnappy, "\xff\x06\0\0sNaPpY"sv, Nature::kCompressed, "snappy", "snappy data",
          "pipe it in: snzip -dc FILE | bloomery ... -"},
    Known{Content::kZip, "PK\x03\x04"sv, Nature::kArchive, "zip", "a zip or jar archive", kUnzip},
    Known{Content::kZip, "PK\x05\x06"sv, Nature::kArchive, "zip", "a zip or jar archive", kUnzip},
    Known{Content::k7z, "7z\xbc\xaf\x27\x1c"sv, Nature::kArchive, "7z", "a 7z archive",
          "unpack it and pipe it in: 7z x -so FILE | bloomery ... -"},
    Known{Content::kParquet, "PAR1"sv, Nature::kData, "Parquet", "a Parquet file", kByPython,
          Letters::kYes},
    Known{Content::kParquet, "PARE"sv, Nature::kData, "Parquet", "a Parquet file", kByPython,
          Letters::kYes},
    Known{Content::kOrc, "ORC"sv, Nature::kData, "ORC", "an ORC file", kByPython, Letters::kYes},
    Known{Content::kAvro, "Obj\x01"sv, Nature::kData, "Avro", "an Avro file", kByPython},
    Known{Content::kArrow, "ARROW1"sv, Nature::kData, "Arrow", "an Arrow file", kByPython,
          Letters::kYes},
    Known{Content::kFeather, "FEA1"sv, Nature::kData, "Feather", "a Feather file", kByPython,
          Letters::kYes},
    Known{Content::kSequenceFile, "SEQ\x06"sv, Nature::kData, "sequence file",
          "a Hadoop sequence file", "write it as text first: hadoop fs -text FILE"},
    Known{Content::kSqlite, "SQLite format 3\0"sv, Nature::kData, "SQLite", "an SQLite database",
          "pipe a table of it in: sqlite3 -csv -header FILE 'select ...' | bloomery ... -"},
    Known{Content::kHdf5, "\x89HDF\r\n\x1a\n"sv, Nature::kData, "HDF5", "an HDF5 file",
          "write it as CSV first"},
    Known{Content::kNumpy, "\x93NUMPY"sv, Nature::kData, "NumPy", "a NumPy array",
          "the Python package does (import bloomery; it takes arrays), or write it as text"},
    Known{Content::kRedis, "REDIS0"sv, Nature::kOther, "RDB", "a Redis snapshot (RDB)",
          "write its keys as text first: redis-cli --scan", Letters::kYes},
    Known{Content::kLfsPointer, "version https://git-lfs"sv, Nature::kOther, "Git LFS",
          "a Git LFS pointer, which stands for the file", "run git lfs pull"},
    Known{Content::kProgram,
          "\x7f"
          "ELF"sv,
          Nature::kOther, "ELF", "an executable program", kCheckPath},
    Known{Content::kPdf, "%PDF-"sv, Nature::kOther, "PDF", "a PDF document", kCheckPath},
    Known{Content::kPng, "\x89PNG"sv, Nature::kOther, "PNG", "a PNG picture", kCheckPath},
    Known{Content::kJpeg, "\xff\xd8\xff"sv, Nature::kOther, "JPEG", "a JPEG picture", kCheckPath},
};

// A file of which the first frame is one to skip: 50 to 5f 2a 4d 18.
bool is_skippable_zstd(std::string_view bytes) noexcept {
  return bytes.size() >= 4 && (static_cast<std::uint8_t>(bytes[0]) & 0xF0U) == 0x50U &&
         bytes.substr(1, 3) == "\x2a\x4d\x18"sv;
}

// Control characters, which text has no use for, but for those that end fields and lines.
bool has_no_text(std::string_view bytes) noexcept {
  return std::ranges::any_of(bytes, [](char c) {
    const auto byte = static_cast<std::uint8_t>(c);
    return byte < 0x20 ? byte != '\t' && byte != '\n' && byte != '\r' : byte == 0x7F;
  });
}

// "BZh", a level from 1 to 9, and the start of a block or of the end.
bool is_bzip2(std::string_view bytes) noexcept {
  return bytes.size() >= 10 && bytes[3] >= '1' && bytes[3] <= '9' &&
         (bytes.substr(4, 6) == "1AY&SY"sv || bytes.substr(4, 6) == "\x17\x72\x45\x38\x50\x90"sv);
}

bool is(const Known& known, std::string_view bytes) noexcept {
  if (!bytes.starts_with(known.magic)) return false;
  if (known.content == Content::kBzip2) return is_bzip2(bytes);
  return known.letters == Letters::kNo || has_no_text(bytes);
}

const Known* find(Content content) noexcept {
  const auto* found = std::ranges::find(kKnown, content, &Known::content);
  return found == kKnown.end() ? nullptr : found;
}

}  // namespace

Content recognise(std::string_view first_bytes) noexcept {
  const std::string_view bytes = first_bytes.substr(0, kContentBytes);
  const auto* found =
      std::ranges::find_if(kKnown, [bytes](const Known& known) { return is(known, bytes); });
  if (found != kKnown.end()) return found->content;
  return is_skippable_zstd(bytes) ? Content::kZstd : Content::kText;
}

Nature nature_of(Content content) noexcept {
  const Known* known = find(content);
  return known == nullptr ? Nature::kText : known->nature;
}

std::string_view to_string(Content content) noexcept {
  const Known* known = find(content);
  return known == nullptr ? "text" : known->name;
}

std::string_view noun_of(Content content) noexcept {
  const Known* known = find(content);
  return known == nullptr ? "text" : known->noun;
}

Result<void> check_readable(Content content, std::string_view name) {
  const Known* known = find(content);
  if (known == nullptr || known->remedy == kReadable) return {};
  return make_error(ErrorCode::kUnsupported, "{}: is {}, which this command does not read; {}",
                    escaped(name), known->noun, known->remedy);
}

}  // namespace bloomery
