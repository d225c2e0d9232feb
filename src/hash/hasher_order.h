// An order of hashers that are not equal, to number them with.
//
// In order and not hashed: whoever makes a bank chooses its seeds and self-checks, and could make
// all of them meet in one bucket of a hash table.
#pragma once

#include <tuple>

#include "bloomery/hash.h"

namespace bloomery {

struct HasherOrder {
  bool operator()(const Hasher& a, const Hasher& b) const noexcept {
    return std::tuple(a.id(), a.seed(), a.self_check()) <
           std::tuple(b.id(), b.seed(), b.self_check());
  }
};

}  // namespace bloomery
