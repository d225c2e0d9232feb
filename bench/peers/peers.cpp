// The one list of peers.
#include "peers/boost_bloom.h"
#include "peers/peer.h"
#include "peers/sets.h"

namespace bloomery::bench {

std::string_view to_string(PeerId id) noexcept {
  switch (id) {
    case PeerId::kBoostMultiblock64:
      return "Boost fast_multiblock64<8>";
    case PeerId::kBoostMultiblock64Huge:
      return "Boost fast_multiblock64<8>, huge pages";
    case PeerId::kBoostMultiblock32:
      return "Boost fast_multiblock32<8>";
    case PeerId::kBoostClassic:
      return "Boost filter<7>";
    case PeerId::kStdSet:
      return "std::unordered_set";
    case PeerId::kFlatSet:
      return "boost::unordered_flat_set";
  }
  return "";
}

template <typename Key>
std::unique_ptr<Peer<Key>> make_peer(PeerId id, std::uint64_t keys, double fpr) {
  if (id == PeerId::kStdSet) return make_std_set<Key>();
  if (id == PeerId::kFlatSet) return make_flat_set<Key>();
  return make_boost_bloom<Key>(id, keys, fpr);
}

template std::unique_ptr<Peer<std::uint64_t>> make_peer(PeerId, std::uint64_t, double);
template std::unique_ptr<Peer<std::string_view>> make_peer(PeerId, std::uint64_t, double);

std::string_view peer_flags() noexcept {
  return BLOOMERY_BENCH_PEER_FLAGS;
}

}  // namespace bloomery::bench
