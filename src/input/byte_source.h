// Bytes one after the other, whatever they come from.
//
//   takes   a file descriptor, or another source
//   gives   bytes in order, to input.h and the decompressors
//
// An end is an end: a source that stops early for any reason fails instead of returning 0.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bloomery/result.h"

namespace bloomery {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Puts at least one byte into `to`, which must not be empty, and says how many; 0 at the end.
  virtual Result<std::size_t> read(std::span<char> to) = 0;
};

// Reads until `to` is full or the source ends.
Result<std::size_t> read_full(ByteSource& source, std::span<char> to);

// A file descriptor that closes itself, unless it is standard input.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) noexcept : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_ = -1;
};

// How far a reader has come, for whoever shows progress from another thread.
using Progress = std::shared_ptr<std::atomic<std::uint64_t>>;

// A file or a pipe from where it stands now. `name` is for messages.
class FileSource : public ByteSource {
 public:
  FileSource(FileDescriptor file, std::string name, Progress progress);
  Result<std::size_t> read(std::span<char> to) override;

 private:
  FileDescriptor file_;
  std::string name_;
  Progress progress_;
};

// Bytes that were read before, then the rest of the source they came from.
class PrefixedSource : public ByteSource {
 public:
  PrefixedSource(std::string prefix, std::unique_ptr<ByteSource> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}
  Result<std::size_t> read(std::span<char> to) override;

 private:
  std::string prefix_;
  std::size_t given_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

}  // namespace bloomery
