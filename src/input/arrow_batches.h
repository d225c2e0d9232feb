// Columns that somebody else made, taken over through the Arrow C interfaces.
//
//   takes   structs of arrow_abi.h, from Python or from any other program
//   gives   schemas, arrays and a stream of batches that release themselves
//
// Nothing is copied. What the structs point at is taken as true: an ABI has no lengths to check.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "bloomery/result.h"
#include "input/arrow_abi.h"

namespace bloomery {

// Owns one struct of the ABI: moved in, released at the end.
template <typename Struct>
class ArrowOwned {
 public:
  ArrowOwned() = default;
  // Takes over: `from` is marked as released.
  explicit ArrowOwned(Struct* from) noexcept : held_(*from) { from->release = nullptr; }
  ArrowOwned(ArrowOwned&& other) noexcept : held_(std::exchange(other.held_, Struct{})) {}
  ArrowOwned& operator=(ArrowOwned&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ArrowOwned(const ArrowOwned&) = delete;
  ArrowOwned& operator=(const ArrowOwned&) = delete;
  ~ArrowOwned() {
    if (held_.release != nullptr) held_.release(&held_);
  }

  [[nodiscard]] bool is_empty() const noexcept { return held_.release == nullptr; }
  [[nodiscard]] Struct& operator*() noexcept { return held_; }
  [[nodiscard]] const Struct& operator*() const noexcept { return held_; }
  [[nodiscard]] const Struct* operator->() const noexcept { return &held_; }
  // To be filled by a callback of the ABI.
  [[nodiscard]] Struct* out() noexcept { return &held_; }

 private:
  Struct held_{};
};

using OwnedSchema = ArrowOwned<ArrowSchema>;
using OwnedArray = ArrowOwned<ArrowArray>;

// Batches of one schema, one after the other.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  BatchSource() = default;
  BatchSource(const BatchSource&) = delete;
  BatchSource& operator=(const BatchSource&) = delete;

  [[nodiscard]] virtual const ArrowSchema& schema() const = 0;
  // The next batch, or an empty one at the end. Any thread may call it.
  virtual Result<OwnedArray> next() = 0;
};

class ArrowStream : public BatchSource {
 public:
  // Fails when the stream has no schema to give. `name` is for messages.
  static Result<std::shared_ptr<ArrowStream>> open(ArrowArrayStream* stream, std::string name);

  [[nodiscard]] const ArrowSchema& schema() const override { return *schema_; }
  Result<OwnedArray> next() override;

 private:
  ArrowStream(ArrowArrayStream* stream, std::string name)
      : stream_(stream), name_(std::move(name)) {}
  Error failure(int code);

  std::mutex mutex_;
  ArrowOwned<ArrowArrayStream> stream_;
  OwnedSchema schema_;
  std::string name_;
};

}  // namespace bloomery
