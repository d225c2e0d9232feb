#include "verify/wire.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/checked.h"
#include "base/checksum.h"
#include "base/endian.h"
#include "base/error.h"

namespace bloomery {
namespace {

constexpr std::uint64_t kMagic = 0x7972656d6f6f6c62;  // "bloomery"
constexpr std::size_t kHeadBytes = 40;
constexpr std::size_t kCandidateBytes = 32;
constexpr std::size_t kMaxNameBytes = 65535;

enum class FrameKind : std::uint64_t { kCounts = 1, kCandidates = 2, kSettled = 3 };

class FrameWriter {
 public:
  FrameWriter(FrameKind kind, const Digest& digest) {
    frame_.reserve(kHeadBytes);
    number(kMagic);
    number(static_cast<std::uint64_t>(kind));
    bytes(digest);
    number(std::uint64_t{0});
  }

  template <typename T>
  void number(T value) {
    std::array<std::byte, sizeof value> stored{};
    store_le(stored.data(), value);
    bytes(stored);
  }
  void bytes(std::span<const std::byte> more) {
    frame_.insert(frame_.end(), more.begin(), more.end());
  }

  std::vector<std::byte> finish() {
    store_le(frame_.data() + kHeadBytes - 8, std::uint64_t{frame_.size() - kHeadBytes});
    number(checksum64(frame_));
    return std::move(frame_);
  }

 private:
  std::vector<std::byte> frame_;
};

// Reads numbers until there are none; the first that is not there makes everything after it zero.
class FrameReader {
 public:
  explicit FrameReader(std::span<const std::byte> content) : rest_(content) {}

  template <typename T>
  T number() {
    T value{};
    if (const auto from = bytes(sizeof value); !from.empty()) value = load_le<T>(from.data());
    return value;
  }
  std::span<const std::byte> bytes(std::size_t size) {
    if (size > rest_.size()) {
      is_short_ = true;
      rest_ = {};
      return {};
    }
    const auto taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }
  // A number of things of at least `size` bytes each; 0 when there is no room for so many.
  std::size_t count(std::size_t size) {
    const auto value = number<std::uint64_t>();
    if (value <= rest_.size() / size) return static_cast<std::size_t>(value);
    is_short_ = true;
    return 0;
  }
  // All was there, and no more.
  [[nodiscard]] bool is_whole() const noexcept { return !is_short_ && rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool is_short_ = false;
};

Error damaged(std::string_view what) {
  return make_error(ErrorCode::kDamaged, "verify frame: {}; run the task again", what);
}

// The content of a frame, once everything around it is right.
Result<FrameReader> open_frame(std::span<const std::byte> frame, FrameKind kind, const Bank& bank) {
  if (frame.size() < kHeadBytes + 8) return damaged("shorter than its head");
  if (load_le<std::uint64_t>(frame.data()) != kMagic) return damaged("not a frame");
  const std::size_t size = frame.size() - kHeadBytes - 8;
  if (load_le<std::uint64_t>(frame.data() + kHeadBytes - 8) != size) {
    return damaged("not as long as it says");
  }
  const auto body = frame.first(frame.size() - 8);
  if (load_le<std::uint64_t>(frame.data() + body.size()) != checksum64(body)) {
    return damaged("its checksum does not match");
  }
  if (load_le<std::uint64_t>(frame.data() + 8) != static_cast<std::uint64_t>(kind)) {
    return damaged("of another kind");
  }
  const Digest digest = bank.digest();
  if (std::memcmp(frame.data() + 16, digest.data(), digest.size()) != 0) {
    return make_error(ErrorCode::kMismatch,
                      "verify frame: of another bank; give every task of the job the same bank");
  }
  return FrameReader(body.subspan(kHeadBytes));
}

void read_outside(FrameReader& reader, VerifyCounts& counts, bool& is_sound) {
  const std::size_t count = reader.count(13);
  for (std::size_t i = 0; i < count; ++i) {
    const auto records = reader.number<std::uint64_t>();
    const auto bytes = reader.bytes(reader.number<std::uint32_t>());
    std::string name(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    is_sound = is_sound && !name.empty() && name.size() <= kMaxNameBytes && records != 0;
    is_sound = counts.outside.emplace(std::move(name), records).second && is_sound;
  }
}

// Every record is of one group, of the bank or not.
bool accounts_for_all(const VerifyCounts& counts) {
  CheckedSize records(0);
  for (const GroupTally& group : counts.groups) records += group.members;
  for (const auto& [name, count] : counts.outside) records += count;
  return records.is_valid() && records.value() == counts.records;
}

bool is_sound_tally(const GroupTally& tally, std::uint64_t records) {
  return tally.denied <= tally.members && tally.members <= records &&
         tally.hits <= records - tally.members;
}

bool is_sound_candidate(const Candidate& candidate, std::size_t groups) {
  const bool has_owner = candidate.own == kOutside || candidate.own < groups;
  const bool has_hit = candidate.hit == candidate.own || candidate.hit < groups;
  return has_owner && has_hit && candidate.records != 0;
}

}  // namespace

std::vector<std::byte> encode(const VerifyCounts& counts) {
  FrameWriter writer(FrameKind::kCounts, counts.bank_digest);
  writer.number(static_cast<std::uint64_t>(counts.evidence));
  writer.number(counts.sample.last());
  writer.number(counts.records);
  writer.number(counts.outside_hits);
  writer.number(std::uint64_t{counts.groups.size()});
  for (const GroupTally& tally : counts.groups) {
    writer.number(tally.members);
    writer.number(tally.denied);
    writer.number(tally.hits);
  }
  writer.number(std::uint64_t{counts.outside.size()});
  for (const auto& [name, records] : counts.outside) {
    writer.number(records);
    writer.number(static_cast<std::uint32_t>(name.size()));
    writer.bytes(std::as_bytes(std::span(name)));
  }
  return writer.finish();
}

Result<VerifyCounts> decode_counts(std::span<const std::byte> bytes, const Bank& bank) {
  auto reader = open_frame(bytes, FrameKind::kCounts, bank);
  if (!reader) return reader.error();
  VerifyCounts counts;
  counts.bank_digest = bank.digest();
  const auto evidence = reader->number<std::uint64_t>();
  counts.evidence = evidence == 0 ? Evidence::kCandidates : Evidence::kAllRecords;
  counts.sample = KeySample::up_to(reader->number<std::uint64_t>());
  counts.records = reader->number<std::uint64_t>();
  counts.outside_hits = reader->number<std::uint64_t>();
  counts.groups.resize(reader->count(24));
  bool is_sound = evidence <= 1 && counts.groups.size() == bank.entries().size();
  for (GroupTally& tally : counts.groups) {
    tally.members = reader->number<std::uint64_t>();
    tally.denied = reader->number<std::uint64_t>();
    tally.hits = reader->number<std::uint64_t>();
    is_sound = is_sound && is_sound_tally(tally, counts.records);
  }
  read_outside(*reader, counts, is_sound);
  if (!reader->is_whole()) return damaged("not all of the counts, or more");
  if (!is_sound || !accounts_for_all(counts)) return damaged("counts that do not add up");
  return counts;
}

std::vector<std::byte> encode(std::span<const Candidate> candidates, const Bank& bank) {
  FrameWriter writer(FrameKind::kCandidates, bank.digest());
  writer.number(std::uint64_t{candidates.size()});
  for (const Candidate& candidate : candidates) {
    writer.number(candidate.key.high);
    writer.number(candidate.key.low);
    writer.number(candidate.own);
    writer.number(candidate.hit);
    writer.number(candidate.records);
  }
  return writer.finish();
}

Result<std::vector<Candidate>> decode_candidates(std::span<const std::byte> bytes,
                                                 const Bank& bank) {
  auto reader = open_frame(bytes, FrameKind::kCandidates, bank);
  if (!reader) return reader.error();
  std::vector<Candidate> candidates(reader->count(kCandidateBytes));
  for (Candidate& candidate : candidates) {
    candidate.key.high = reader->number<std::uint64_t>();
    candidate.key.low = reader->number<std::uint64_t>();
    candidate.own = reader->number<std::uint32_t>();
    candidate.hit = reader->number<std::uint32_t>();
    candidate.records = reader->number<std::uint64_t>();
    if (!is_sound_candidate(candidate, bank.entries().size())) {
      return damaged("a candidate of a group the bank does not have");
    }
  }
  if (!reader->is_whole()) return damaged("not all of the candidates, or more");
  return candidates;
}

std::vector<std::byte> encode(const SettledGroups& settled, const Bank& bank) {
  FrameWriter writer(FrameKind::kSettled, bank.digest());
  writer.number(std::uint64_t{settled.size()});
  for (const SettledGroup& group : settled) {
    writer.number(group.shared);
    writer.number(group.true_hits);
    writer.number(group.false_positives);
    writer.number(group.square_sum);
  }
  return writer.finish();
}

Result<SettledGroups> decode_settled(std::span<const std::byte> bytes, const Bank& bank) {
  auto reader = open_frame(bytes, FrameKind::kSettled, bank);
  if (!reader) return reader.error();
  SettledGroups settled(reader->count(4 * sizeof(std::uint64_t)));
  for (SettledGroup& group : settled) {
    group.shared = reader->number<std::uint64_t>();
    group.true_hits = reader->number<std::uint64_t>();
    group.false_positives = reader->number<std::uint64_t>();
    group.square_sum = reader->number<std::uint64_t>();
  }
  if (!reader->is_whole()) return damaged("not all of the groups, or more");
  const bool is_sound = std::ranges::all_of(settled, [](const SettledGroup& group) {
    return group.true_hits <= group.shared && group.square_sum >= group.false_positives;
  });
  if (!is_sound || settled.size() != bank.entries().size()) {
    return damaged("groups that do not add up");
  }
  return settled;
}

}  // namespace bloomery
