#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <limits>

#include "input/compressed_bytes.h"
#include "input/decompress.h"

namespace bloomery {
namespace {

std::string_view reason_of(int status) noexcept {
  switch (status) {
    case ISAL_INVALID_WRAPPER:
      return "what follows is not a gzip member";
    case ISAL_INCORRECT_CHECKSUM:
      return "the checksum does not match";
    default:
      return "the compressed data make no sense";
  }
}

class GzipSource : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> compressed, std::string name)
      : input_(std::move(compressed), std::move(name)), state_(std::make_unique<inflate_state>()) {}

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
        start_member();
      }
      auto got = inflate_into(to.first(wanted));
      if (!got || *got > 0) return got;
      // Nothing came out and nothing is left to come in: the file stops inside a member.
      if (in_member_ && !*more) return input_.damaged("gzip", "the file ends inside a member");
    }
  }

 private:
  void start_member() noexcept {
    isal_inflate_init(state_.get());
    state_->crc_flag = ISAL_GZIP;
    in_member_ = true;
  }

  Result<std::size_t> inflate_into(std::span<char> to) {
    const std::span<char> rest = input_.rest();
    state_->next_in = reinterpret_cast<std::uint8_t*>(rest.data());
    state_->avail_in = static_cast<std::uint32_t>(rest.size());
    state_->next_out = reinterpret_cast<std::uint8_t*>(to.data());
    state_->avail_out = static_cast<std::uint32_t>(to.size());
    const int status = isal_inflate(state_.get());
    if (status < 0) return input_.damaged("gzip", reason_of(status));
    input_.consume(rest.size() - state_->avail_in);
    if (state_->block_state == ISAL_BLOCK_FINISH) {
      in_member_ = false;
      has_read_member_ = true;
    }
    return to.size() - state_->avail_out;
  }

  CompressedBytes input_;
  std::unique_ptr<inflate_state> state_;
  bool in_member_ = false;
  bool has_read_member_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> gzip_source(std::unique_ptr<ByteSource> compressed, std::string name) {
  return std::make_unique<GzipSource>(std::move(compressed), std::move(name));
}

}  // namespace bloomery
