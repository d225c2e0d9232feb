#include <unordered_set>

#include "peers/hash.h"
#include "peers/sets.h"

namespace bloomery::bench {

template <typename Key>
std::unique_ptr<Peer<Key>> make_std_set() {
  using Set = std::unordered_set<Key, PeerHash, std::equal_to<>, CountingAllocator<Key>>;
  return std::make_unique<PeerSet<Key, Set>>();
}

template std::unique_ptr<Peer<std::uint64_t>> make_std_set();
template std::unique_ptr<Peer<std::string_view>> make_std_set();

}  // namespace bloomery::bench
