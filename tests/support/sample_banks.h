// Banks to test with: small, of every kind, and the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/memory.h"
#include "bloomery/bank.h"

namespace bloomery::test {

// A filter with a group, and the keys that went in.
struct Sample {
  std::string group;
  Filter filter;
  std::vector<std::string> keys;
};

// "<group>-0", "<group>-1", ...
Sample make_sample(std::string group, FilterSpec spec, std::size_t key_count);

// One of every kind and hash, in no special order.
std::vector<Sample> samples_of_every_kind();

// The secret of the sample that has one: bytes 0 to 15.
SecretKey sample_secret();
OpenOptions with_secret();

std::vector<GroupFilter> as_filters(std::span<const Sample> samples);
WriteOptions sample_texts();

// The bank of these samples; stops the program when that fails.
std::vector<std::byte> bytes_of(std::span<const Sample> samples, const WriteOptions& options = {});

// A copy that begins on a multiple of 64, as Bank::from_bytes() wants it.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::span<const std::byte> bytes);

  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return memory_.bytes().first(size_); }

 private:
  std::size_t size_;
  TableBuffer memory_;
};

}  // namespace bloomery::test
