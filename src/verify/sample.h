// A share of the keys, chosen by the key alone: the same keys on every engine, machine and run.
//
// A key is in the sample when the high half of its key_id(), taken as a fraction of 2^64, is below
// the rate. So all records of a key are in or none is, which the exactness of verify needs; a
// smaller sample is part of a larger one; and because key_id() has a seed of its own, being in the
// sample says nothing about a key's place in a filter.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/error.h"
#include "bloomery/result.h"
#include "hash/key_id.h"

namespace bloomery {

class KeySample {
 public:
  // All keys.
  KeySample() = default;

  // Fails unless 0 < rate <= 1.
  static Result<KeySample> create(double rate) {
    if (!(rate > 0 && rate <= 1)) {
      return make_error(ErrorCode::kInvalidArgument,
                        "sample {}: must be above 0 and at most 1; 0.01 takes one key in a hundred",
                        rate);
    }
    KeySample sample;
    // A rate below 2^-64 takes a key in 2^64, not none.
    if (rate < 1)
      sample.last_ = static_cast<std::uint64_t>(std::max(0.0, std::ldexp(rate, 64) - 1));
    return sample;
  }

  [[nodiscard]] bool takes_all() const noexcept { return last_ == UINT64_MAX; }
  [[nodiscard]] bool takes(const KeyId& key) const noexcept { return key.high <= last_; }

  // The largest high half that is taken: how a sample travels between tasks.
  [[nodiscard]] std::uint64_t last() const noexcept { return last_; }
  [[nodiscard]] static KeySample up_to(std::uint64_t last) noexcept {
    KeySample sample;
    sample.last_ = last;
    return sample;
  }

  friend bool operator==(const KeySample&, const KeySample&) = default;

 private:
  std::uint64_t last_ = UINT64_MAX;
};

}  // namespace bloomery
