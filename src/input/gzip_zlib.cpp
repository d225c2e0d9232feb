#include <zlib.h>

#include <algorithm>
#include <limits>

#include "input/compressed_bytes.h"
#include "input/decompress.h"

namespace bloomery {
namespace {

class GzipSource : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> compressed, std::string name)
      : input_(std::move(compressed), std::move(name)) {}
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override {
    if (is_open_) inflateEnd(&stream_);
  }

  Result<std::size_t> read(std::span<char> to) override {
    const std::size_t wanted =
        std::min<std::size_t>(to.size(), std::numeric_limits<std::int32_t>::max());
    while (true) {
      const auto more = input_.fill();
      if (!more) return more.error();
      if (!in_member_) {
        if (!*more) return std::size_t{0};
        if (has_read_member_ && input_.rest().front() != kGzipStart) {
          return input_.damaged("gzip", "the bytes after the last member are not gzip");
        }
        if (!start_member()) return make_error(ErrorCode::kResource, "no memory to read gzip");
      }
      auto got = inflate_into(to.first(wanted));
      if (!got || *got > 0) return got;
      if (in_member_ && !*more) return input_.damaged("gzip", "the file ends inside a member");
    }
  }

 private:
  bool start_member() noexcept {
    constexpr int kGzipOnly = 31;  // the largest window, and a gzip wrapper
    const int status = is_open_ ? inflateReset(&stream_) : inflateInit2(&stream_, kGzipOnly);
    is_open_ = is_open_ || status == Z_OK;
    in_member_ = status == Z_OK;
    return in_member_;
  }

  Result<std::size_t> inflate_into(std::span<char> to) {
    const std::span<char> rest = input_.rest();
    stream_.next_in = reinterpret_cast<Bytef*>(rest.data());
    stream_.avail_in = static_cast<uInt>(rest.size());
    stream_.next_out = reinterpret_cast<Bytef*>(to.data());
    stream_.avail_out = static_cast<uInt>(to.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      return input_.damaged(
          "gzip", stream_.msg != nullptr ? stream_.msg : "the compressed data make no sense");
    }
    input_.consume(rest.size() - stream_.avail_in);
    if (status == Z_STREAM_END) {
      in_member_ = false;
      has_read_member_ = true;
    }
    return to.size() - stream_.avail_out;
  }

  CompressedBytes input_;
  z_stream stream_{};
  bool is_open_ = false;
  bool in_member_ = false;
  bool has_read_member_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> gzip_source(std::unique_ptr<ByteSource> compressed, std::string name) {
  return std::make_unique<GzipSource>(std::move(compressed), std::move(name));
}

}  // namespace bloomery
