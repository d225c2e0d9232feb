// Numbers and texts to bytes and back, for what tasks of one job tell each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engines/hadoop/big_endian.h"

namespace bloomery::hadoop {

[[nodiscard]] inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class ByteWriter {
 public:
  ByteWriter& number(std::uint64_t value) {
    append_be(bytes_, value);
    return *this;
  }
  ByteWriter& text(std::string_view value) {
    number(value.size());
    bytes_ += value;
    return *this;
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reading past the end gives zeros and is remembered: ask is_good() when all is read.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    if (bytes_.size() < sizeof(std::uint64_t)) return fail();
    const auto value = load_be<std::uint64_t>(bytes_.data());
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string_view text() {
    const std::uint64_t size = number();
    if (size > bytes_.size()) {
      fail();
      return {};
    }
    const std::string_view value = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return value;
  }
  // Nothing was missing and nothing is left.
  [[nodiscard]] bool is_good() const noexcept { return !has_failed_ && bytes_.empty(); }
  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }

 private:
  std::uint64_t fail() {
    has_failed_ = true;
    bytes_ = {};
    return 0;
  }

  std::string_view bytes_;
  bool has_failed_ = false;
};

}  // namespace bloomery::hadoop
