#include "peers/boost_bloom.h"

#include <boost/bloom.hpp>

#include "huge_pages.h"
#include "peers/hash.h"

namespace bloomery::bench {
namespace {

template <typename Key, std::size_t kHashes, typename Subfilter,
          typename Allocator = std::allocator<unsigned char>>
class BoostBloom final : public Peer<Key> {
 public:
  BoostBloom(std::uint64_t keys, double fpr) : filter_(keys, fpr) {}

  void insert(std::span<const Key> keys) override { filter_.insert(keys.begin(), keys.end()); }

  // It is given the cheapest thing to do with an answer: to count it.
  [[nodiscard]] std::uint64_t count(std::span<const Key> keys) const override {
    std::uint64_t found = 0;
    filter_.may_contain(keys.begin(), keys.end(),
                        [&found](const Key&, bool answer) { found += answer ? 1U : 0U; });
    return found;
  }

  [[nodiscard]] std::uint64_t count_singly(std::span<const Key> keys) const override {
    std::uint64_t found = 0;
    for (const Key& key : keys) found += filter_.may_contain(key) ? 1U : 0U;
    return found;
  }

  [[nodiscard]] std::size_t bytes() const override { return filter_.capacity() / 8; }

 private:
  boost::bloom::filter<Key, kHashes, Subfilter, 0, PeerHash, Allocator> filter_;
};

}  // namespace

template <typename Key>
std::unique_ptr<Peer<Key>> make_boost_bloom(PeerId id, std::uint64_t keys, double fpr) {
  using boost::bloom::block;
  using boost::bloom::fast_multiblock32;
  using boost::bloom::fast_multiblock64;
  switch (id) {
    case PeerId::kBoostMultiblock64:
      return std::make_unique<BoostBloom<Key, 1, fast_multiblock64<8>>>(keys, fpr);
    case PeerId::kBoostMultiblock64Huge:
      return std::make_unique<
          BoostBloom<Key, 1, fast_multiblock64<8>, HugeAllocator<unsigned char>>>(keys, fpr);
    case PeerId::kBoostMultiblock32:
      return std::make_unique<BoostBloom<Key, 1, fast_multiblock32<8>>>(keys, fpr);
    case PeerId::kBoostClassic:
      return std::make_unique<BoostBloom<Key, 7, block<unsigned char, 1>>>(keys, fpr);
    default:
      return nullptr;
  }
}

template std::unique_ptr<Peer<std::uint64_t>> make_boost_bloom(PeerId, std::uint64_t, double);
template std::unique_ptr<Peer<std::string_view>> make_boost_bloom(PeerId, std::uint64_t, double);

}  // namespace bloomery::bench
