// Lines that come as "offset TAB line", turned back into the bytes of the file.
//
// NLineInputFormat ends lines at CR LF as well as at LF and hands over neither; the offset of the
// next line tells which it was. So the reader behind this sees what stood in the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "input/byte_source.h"

namespace bloomery::hadoop {

class KeyedLines : public ByteSource {
 public:
  // `first` is the offset of the first record of the file: the line at offset 0 starts there.
  KeyedLines(std::unique_ptr<ByteSource> source, std::uint64_t first)
      : source_(std::move(source)), first_(first) {}

  // Reads up to the first line. Its offset; nothing where there is no line.
  Result<std::optional<std::uint64_t>> start();
  Result<std::size_t> read(std::span<char> to) override;

 private:
  Result<bool> read_line(std::string& line);
  Result<bool> read_keyed();

  std::unique_ptr<ByteSource> source_;
  std::uint64_t first_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::string line_;  // the one after what is in ready_
  std::uint64_t offset_ = 0;
  bool has_line_ = false;
  std::string ready_;
  std::size_t given_ = 0;
};

}  // namespace bloomery::hadoop
