// Stands in where CMake was not told where Boost.Bloom is.
#include "peers/boost_bloom.h"

namespace bloomery::bench {

template <typename Key>
std::unique_ptr<Peer<Key>> make_boost_bloom(PeerId /*id*/, std::uint64_t /*keys*/, double /*fpr*/) {
  return nullptr;
}

template std::unique_ptr<Peer<std::uint64_t>> make_boost_bloom(PeerId, std::uint64_t, double);
template std::unique_ptr<Peer<std::string_view>> make_boost_bloom(PeerId, std::uint64_t, double);

}  // namespace bloomery::bench
