#include "filter/partition.h"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bloomery {
namespace {

// Writes whole cache lines without reading them first. Both places must be 16-byte aligned.
void stream_lines(void* to, const void* from, std::size_t bytes) noexcept {
#if defined(__SSE2__)
  auto* target = static_cast<__m128i*>(to);
  const auto* source = static_cast<const __m128i*>(from);
  for (std::size_t i = 0; i < bytes / sizeof(__m128i); ++i) {
    _mm_stream_si128(target + i, _mm_load_si128(source + i));
  }
#else
  std::memcpy(to, from, bytes);
#endif
}

// Makes streamed lines visible to other threads.
void stream_fence() noexcept {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// Every part has a first piece, and may leave its last one nearly empty.
std::size_t pieces_for(std::size_t parts, std::size_t capacity) noexcept {
  return capacity / kPartitionPiece + parts + 1;
}

}  // namespace

template <typename Value>
Partition<Value>::Partition(std::size_t parts, std::size_t capacity)
    : values_(pieces_for(parts, capacity) * kPiece * sizeof(Value)),
      stages_(parts),
      end_(parts),
      next_(pieces_for(parts, capacity)) {
  reset();
}

template <typename Value>
void Partition<Value>::reset() noexcept {
  for (std::size_t part = 0; part < end_.size(); ++part) end_[part] = part * kPiece;
  used_pieces_ = end_.size();
}

template <typename Value>
void Partition<Value>::flush(std::size_t part) noexcept {
  const Stage& stage = stages_[part];
  std::size_t& end = end_[part];
  stream_lines(values_at(end - kStage), stage.values.data(), sizeof stage.values);
  if (end % kPiece == 0) {
    next_[end / kPiece - 1] = used_pieces_;
    end = used_pieces_++ * kPiece;
  }
}

template <typename Value>
void Partition<Value>::finish() noexcept {
  for (std::size_t part = 0; part < stages_.size(); ++part) {
    const std::size_t staged = end_[part] % kStage;
    std::copy_n(stages_[part].values.data(), staged, values_at(end_[part] - staged));
  }
  stream_fence();
}

template class Partition<KeyHash>;
template class Partition<std::uint64_t>;

PlaceWalk::PlaceWalk(const Partition<KeyHash>& partition)
    : partition_(&partition), places_(partition.parts()) {
  for (std::size_t part = 0; part < places_.size(); ++part) {
    places_[part] = part * kPartitionPiece;
  }
}

}  // namespace bloomery
