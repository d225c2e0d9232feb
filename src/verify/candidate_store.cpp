#include "verify/candidate_store.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/parallel.h"
#include "base/scratch_file.h"

namespace bloomery {
namespace {

// The file is read by the process that wrote it, so candidates go there as they lie in memory.
static_assert(std::is_trivially_copyable_v<Candidate> && sizeof(Candidate) == 32);

// Vectors grow by doubling, so what is held can take twice its size.
std::size_t held_within(std::uint64_t memory) {
  return static_cast<std::size_t>(std::max<std::uint64_t>(memory / (2 * sizeof(Candidate)), 1));
}

}  // namespace

CandidateStore::CandidateStore(std::uint64_t memory, std::string folder)
    : max_held_(held_within(memory)), folder_(std::move(folder)) {}

Result<void> CandidateStore::add(std::span<const Candidate> candidates) {
  const std::scoped_lock lock(mutex_);
  for (const Candidate& candidate : candidates) {
    parts_[candidate.key.high >> 56U].held.push_back(candidate);
  }
  held_ += candidates.size();
  return held_ <= max_held_ ? Result<void>() : make_room();
}

Result<void> CandidateStore::make_room() {
  held_ = 0;
  for (Part& part : parts_) {
    compact(part.held);
    held_ += part.held.size();
  }
  // Where keys repeat much that was enough, and the next time is far off.
  return held_ <= max_held_ / 2 ? Result<void>() : spill();
}

Result<void> CandidateStore::spill() {
  if (!file_.is_open()) {
    auto file = open_scratch_file(folder_);
    if (!file) return file.error();
    file_ = std::move(*file);
  }
  for (Part& part : parts_) {
    if (part.held.empty()) continue;
    const auto bytes = std::as_bytes(std::span(part.held));
    if (auto written = write_scratch(file_, file_size_, bytes, folder_); !written) return written;
    part.spilled.push_back({file_size_, part.held.size()});
    file_size_ += bytes.size();
    part.held.clear();
  }
  held_ = 0;
  return {};
}

// All candidates of a part, compact: also in between, so that a key that repeats in every stretch
// takes no more memory than in one.
Result<std::vector<Candidate>> CandidateStore::take_part(Part& part) const {
  std::vector<Candidate> candidates = std::exchange(part.held, {});
  std::size_t compact_size = candidates.size();
  for (const Stretch& stretch : part.spilled) {
    const std::size_t start = candidates.size();
    candidates.resize(start + stretch.count);
    const auto bytes = std::as_writable_bytes(std::span(candidates).subspan(start));
    if (auto read = read_at(file_, stretch.offset, bytes, folder_); !read) return read.error();
    if (candidates.size() > 2 * compact_size) {
      compact(candidates);
      compact_size = candidates.size();
    }
  }
  compact(candidates);
  return candidates;
}

Result<SettledGroups> CandidateStore::settle_all(std::size_t groups, unsigned threads) {
  const std::scoped_lock lock(mutex_);
  SettledGroups all(groups);
  std::optional<Error> failure;
  std::mutex result_mutex;
  parallel_for(thread_count(threads), kParts, [&](std::size_t i) {
    auto candidates = take_part(parts_[i]);
    SettledGroups settled(candidates && !candidates->empty() ? groups : 0);
    if (!settled.empty()) settle(*candidates, settled);
    const std::scoped_lock result_lock(result_mutex);
    if (!candidates) failure = candidates.error();
    if (!settled.empty()) merge(all, settled);
  });
  for (Part& part : parts_) part.spilled.clear();
  held_ = 0;
  if (failure) return *failure;
  return all;
}

}  // namespace bloomery
