// One input: a file or standard input; plain, gzip or zstd, told apart by content.
//
//   takes   a path
//   gives   its bytes: mapped at once for a plain file, otherwise as a stream, decompressed
//
// A plain file is mapped, so ranges of it can be read by any number of threads and it counts as no
// memory of ours. The price: whoever truncates the file while it is read ends the process (SIGBUS),
// as with any mapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "input/byte_source.h"
#include "input/content.h"

namespace bloomery {

struct MapDeleter {
  std::size_t size = 0;
  void operator()(const char* data) const noexcept;
};

class Input {
 public:
  // "-" is standard input. Fails for what is not there, for folders, and for content that only
  // others can read (content.h).
  static Result<Input> open(std::string path);

  // The path as given, or "standard input".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] Content content() const noexcept { return content_; }

  // A plain file, whole. Otherwise bytes() is empty and stream() is the way.
  [[nodiscard]] bool is_mapped() const noexcept { return is_mapped_; }
  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

  // What there is to read, before decompression; unknown for a pipe.
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept { return size_; }
  // How much of size() streams have read so far. Any thread may ask.
  [[nodiscard]] std::uint64_t bytes_read() const noexcept { return progress_->load(); }
  // Whether stream() can be had more than once.
  [[nodiscard]] bool can_reread() const noexcept { return size_.has_value(); }

  // The first bytes of the text, decompressed: `wanted`, or fewer where the input ends. A later
  // stream() gives them again. Call it at most once, before stream().
  Result<std::string> sample(std::size_t wanted);

  // The whole text, decompressed. Of a pipe there is only one.
  Result<std::unique_ptr<ByteSource>> stream();

 private:
  explicit Input(std::string path);

  Result<void> map(int file, std::uint64_t size);
  Result<void> start_stream();
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> decompressed(
      std::unique_ptr<ByteSource> source) const;

  std::string path_;
  std::string name_;
  Content content_ = Content::kText;
  bool is_mapped_ = false;
  std::unique_ptr<const char, MapDeleter> map_;
  std::string_view bytes_;
  std::optional<std::uint64_t> size_;
  Progress progress_;
  std::unique_ptr<ByteSource> next_;  // opened already, for the next stream()
};

// The files that the patterns name: a pattern with * ? or [ stands for every path it matches,
// sorted by bytes; any other is a path, and "-" standard input. Fails for a pattern that matches
// nothing and for a path that comes twice.
Result<std::vector<std::string>> expand_paths(const std::vector<std::string>& patterns);

}  // namespace bloomery
