// Stands in where Boost 1.81 or later was not found.
#include "peers/sets.h"

namespace bloomery::bench {

template <typename Key>
std::unique_ptr<Peer<Key>> make_flat_set() {
  return nullptr;
}

template std::unique_ptr<Peer<std::uint64_t>> make_flat_set();
template std::unique_ptr<Peer<std::string_view>> make_flat_set();

}  // namespace bloomery::bench
