// Boost.Bloom's filters, or nothing where the program was built without it.
#pragma once

#include <cstdint>
#include <memory>

#include "peers/peer.h"

namespace bloomery::bench {

template <typename Key>
[[nodiscard]] std::unique_ptr<Peer<Key>> make_boost_bloom(PeerId id, std::uint64_t keys,
                                                          double fpr);

}  // namespace bloomery::bench
