// Any bytes, read as one JSON record: a record that is taken must be taken again, byte for byte,
// when the fields found in it are written as JSON once more.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "parse/json_record.h"
#include "parse/utf8.h"

namespace {

void append_string(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte < 0x20 || c == '"' || c == '\\') {
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomery;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  JsonRecord record({"a", "b"});
  if (record.read(text) != JsonStatus::kGood) return 0;
  std::string again = "{\"a\":";
  append_string(again, record.field(0));
  again += ",\"b\":";
  append_string(again, record.field(1));
  again += '}';
  JsonRecord second({"a", "b"});
  if (!is_utf8(record.field(0)) || second.read(again) != JsonStatus::kGood ||
      second.field(0) != record.field(0) || second.field(1) != record.field(1)) {
    std::abort();
  }
  return 0;
}
