#include "parse/tally.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

#include "base/error.h"

namespace bloomery {
namespace {

struct Name {
  std::string_view name;
  std::string_view meaning;
};
constexpr std::array<Name, kRejectKinds> kNames{{
    {"field_count", "not as many fields as the header or the first record"},
    {"group_not_number", "the group is not a decimal number"},
    {"group_out_of_range", "the group is out of range"},
    {"key_not_number", "the key is not a number of the key type"},
    {"bad_utf8", "not UTF-8"},
    {"nul_byte", "holds a NUL byte"},
    {"over_long", "longer than the longest line allowed"},
    {"broken_quoting", "the double quotes do not match"},
    {"broken_json", "not a JSON object with plain fields"},
    {"truncated_last", "the file ends inside this record"},
    {"repeated_header", "the header line again, inside the data"},
}};

bool comes_before(const RejectedRecord& a, const RejectedRecord& b) noexcept {
  return std::tie(a.file, a.offset) < std::tie(b.file, b.offset);
}

}  // namespace

std::string_view to_string(Reject reject) noexcept {
  return kNames[static_cast<std::size_t>(reject)].name;
}

std::string_view explain(Reject reject) noexcept {
  return kNames[static_cast<std::size_t>(reject)].meaning;
}

std::uint64_t FileTally::rejected_total() const noexcept {
  return std::accumulate(rejected.begin(), rejected.end(), std::uint64_t{0});
}

FileTally& FileTally::operator+=(const FileTally& other) noexcept {
  read += other.read;
  used += other.used;
  missing += other.missing;
  blank += other.blank;
  header += other.header;
  for (std::size_t i = 0; i < kRejectKinds; ++i) rejected[i] += other.rejected[i];
  return *this;
}

FileTally& Tally::file(std::uint32_t index) {
  if (files_.size() <= index) files_.resize(std::size_t{index} + 1);
  return files_[index];
}

FileTally Tally::total() const noexcept {
  FileTally sum;
  for (const FileTally& file : files_) sum += file;
  return sum;
}

void Tally::add_sample(RejectedRecord record) {
  auto& kept = samples_[static_cast<std::size_t>(record.category)];
  if (kept.size() < kSamples) kept.push_back(std::move(record));
}

Result<void> Tally::check() const {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const FileTally& file = files_[i];
    if (file.adds_up()) continue;
    return make_error(
        ErrorCode::kMismatch,
        "input {}: {} records read, but {} used, {} rejected, {} missing, {} blank and {} "
        "header; this is a defect, please report it",
        i + 1, file.read, file.used, file.rejected_total(), file.missing, file.blank, file.header);
  }
  return {};
}

Result<void> Tally::merge(const Tally& other) {
  if (auto own = check(); !own) return own;
  if (auto others = other.check(); !others) return others;
  for (std::uint32_t i = 0; i < other.files_.size(); ++i) file(i) += other.files_[i];
  for (std::size_t i = 0; i < kRejectKinds; ++i) {
    std::vector<RejectedRecord> both;
    std::merge(samples_[i].begin(), samples_[i].end(), other.samples_[i].begin(),
               other.samples_[i].end(), std::back_inserter(both), comes_before);
    if (both.size() > kSamples) both.resize(kSamples);
    samples_[i] = std::move(both);
  }
  return {};
}

}  // namespace bloomery
