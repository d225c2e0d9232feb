// Files for tests of the input layers: written to a folder of their own, compressed if wanted, gone
// afterwards.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "input/byte_source.h"

namespace bloomery {

class TempFolder {
 public:
  TempFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "bloomery-test-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = path;
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::string path(std::string_view name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string write(std::string_view name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

inline std::string gzipped(std::string_view text, int level = 6) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string zstd_compressed(std::string_view text, bool has_checksum = true) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, has_checksum ? 1 : 0);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return out;
}

// Bytes in memory, given `step` at a time.
class StepSource : public ByteSource {
 public:
  StepSource(std::string bytes, std::size_t step) : bytes_(std::move(bytes)), step_(step) {}

  Result<std::size_t> read(std::span<char> to) override {
    const std::size_t count = std::min({step_, to.size(), bytes_.size() - given_});
    std::memcpy(to.data(), bytes_.data() + given_, count);
    given_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t step_;
  std::size_t given_ = 0;
};

inline std::unique_ptr<ByteSource> in_steps(std::string bytes, std::size_t step) {
  return std::make_unique<StepSource>(std::move(bytes), step);
}

// All bytes of a source, or why there are none.
inline Result<std::string> drain(ByteSource& source, std::size_t buffer_bytes = 4096) {
  std::string all;
  std::string buffer(buffer_bytes, '\0');
  while (true) {
    const auto got = source.read(buffer);
    if (!got) return got.error();
    if (*got == 0) return all;
    all.append(buffer, 0, *got);
  }
}

}  // namespace bloomery
