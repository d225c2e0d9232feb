#include <boost/unordered/unordered_flat_set.hpp>

#include "peers/hash.h"
#include "peers/sets.h"

namespace bloomery::bench {

template <typename Key>
std::unique_ptr<Peer<Key>> make_flat_set() {
  using Set = boost::unordered_flat_set<Key, PeerHash, std::equal_to<>, CountingAllocator<Key>>;
  return std::make_unique<PeerSet<Key, Set>>();
}

template std::unique_ptr<Peer<std::uint64_t>> make_flat_set();
template std::unique_ptr<Peer<std::string_view>> make_flat_set();

}  // namespace bloomery::bench
