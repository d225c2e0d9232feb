#include <zstd.h>
#include <zstd_errors.h>

#include <new>

#include "input/compressed_bytes.h"
#include "input/decompress.h"

namespace bloomery {
namespace {

constexpr int kMaxWindowLog = 27;  // 128 MiB

struct ContextDeleter {
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};
using Context = std::unique_ptr<ZSTD_DCtx, ContextDeleter>;

Context make_context() {
  Context context(ZSTD_createDCtx());
  if (context == nullptr) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  return context;
}

class ZstdSource : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> compressed, std::string name)
      : input_(std::move(compressed), std::move(name)), context_(make_context()) {}

  Result<std::size_t> read(std::span<char> to) override {
    while (true) {
      const auto more = input_.fill();
      if (!more) return more.error();
      if (!*more && !in_frame_) return std::size_t{0};
      auto got = decompress_into(to);
      if (!got || *got > 0) return got;
      if (in_frame_ && !*more) return input_.damaged("zstd", "the file ends inside a frame");
    }
  }

 private:
  Result<std::size_t> decompress_into(std::span<char> to) {
    ZSTD_inBuffer in{input_.rest().data(), input_.rest().size(), 0};
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(status) != 0) {
      if (ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge) {
        return input_.unsupported("zstd",
                                  "it needs a window above 128 MiB; write it again without --long");
      }
      return input_.damaged("zstd", ZSTD_getErrorName(status));
    }
    input_.consume(in.pos);
    in_frame_ = status != 0;
    return out.pos;
  }

  CompressedBytes input_;
  Context context_;
  bool in_frame_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> zstd_source(std::unique_ptr<ByteSource> compressed, std::string name) {
  return std::make_unique<ZstdSource>(std::move(compressed), std::move(name));
}

}  // namespace bloomery
