// Where generated data go: standard output, or a file that appears when it is whole.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "cli/output/console.h"

namespace bloomery::cli {

class DataSink {
 public:
  DataSink(Writer& out, AtomicFile* file) : out_(&out), file_(file) { buffer_.reserve(kRoom); }

  void put(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kRoom) flush();
    buffer_.append(bytes);
  }
  // Room for `size` bytes, at most 64 KiB; advance() says where they end.
  [[nodiscard]] char* room(std::size_t size) {
    if (buffer_.size() + size > kRoom) flush();
    const std::size_t at = buffer_.size();
    buffer_.resize(at + size);
    return buffer_.data() + at;
  }
  void advance(const char* end) { buffer_.resize(static_cast<std::size_t>(end - buffer_.data())); }
  // False when writing has failed or nobody reads any more.
  [[nodiscard]] bool wants_more() const noexcept { return !is_closed_; }

  void flush();
  // Fails if anything failed so far.
  Result<std::uint64_t> finish();

 private:
  static constexpr std::size_t kRoom = std::size_t{256} << 10U;

  Writer* out_;
  AtomicFile* file_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  bool is_closed_ = false;
  std::optional<Error> error_;
};

// Runs `make`, which gives the number of records, and says what was written where.
Result<ExitCode> generate(const std::string& output, bool force, Console& console,
                          const std::function<std::uint64_t(DataSink&)>& make);

}  // namespace bloomery::cli
