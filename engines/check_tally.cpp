#include "engines/check_tally.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "base/file.h"

namespace bloomery {
namespace {

// "2 field_count (not as many fields as ...), 1 broken_quoting (...)"
std::string kinds_of(const FileTally& total) {
  std::vector<std::string> kinds;
  for (std::size_t i = 0; i < kRejectKinds; ++i) {
    if (total.rejected[i] == 0) continue;
    const auto category = static_cast<Reject>(i);
    kinds.push_back(
        fmt::format("{} {} ({})", total.rejected[i], to_string(category), explain(category)));
  }
  return fmt::format("{}", fmt::join(kinds, ", "));
}

// The first of all that were rejected, by file and offset.
std::string first_sample(const Tally& tally, std::span<const std::string> names) {
  const RejectedRecord* first = nullptr;
  for (std::size_t i = 0; i < kRejectKinds; ++i) {
    for (const RejectedRecord& record : tally.samples(static_cast<Reject>(i))) {
      const bool is_earlier = first == nullptr || std::tie(record.file, record.offset) <
                                                      std::tie(first->file, first->offset);
      if (is_earlier) first = &record;
    }
  }
  if (first == nullptr) return "";
  const std::string name = first->file < names.size() ? printable_path(names[first->file])
                                                      : fmt::format("input {}", first->file + 1);
  return fmt::format("; the first: {}: byte {}: {}: \"{}\"", name, first->offset, first->reason,
                     first->text);
}

Error too_many_bad(const Tally& tally, double max_bad, std::span<const std::string> names) {
  const FileTally total = tally.total();
  const bool has_quoting = total.rejected[static_cast<std::size_t>(Reject::kBrokenQuoting)] > 0;
  return make_error(
      ErrorCode::kInvalidArgument,
      "{} of {} records are bad, more than --max-bad {:.4g}% allows: {}{}; {}--rejects "
      "FILE shows them all, --lenient goes on without them",
      total.rejected_total(), total.read - total.header, max_bad * 100, kinds_of(total),
      first_sample(tally, names),
      has_quoting ? "--multiline allows line ends inside quotes, " : "");
}

}  // namespace

Result<void> check_tally(const Tally& tally, const RejectPolicy& policy,
                         std::span<const std::string> names) {
  if (auto adds_up = tally.check(); !adds_up) return adds_up;
  const FileTally total = tally.total();
  const auto limit = policy.max_bad * static_cast<double>(total.read - total.header);
  const std::uint64_t bad = total.rejected_total();
  if (!policy.is_lenient && static_cast<double>(bad) > limit) {
    return too_many_bad(tally, policy.max_bad, names);
  }
  if (total.read == 0) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "the input is empty; is this the right file, and did what writes it succeed?");
  }
  if (total.used == 0) {
    return make_error(ErrorCode::kInvalidArgument,
                      "no record was used: {} read, {} rejected, {} missing, {} blank, {} header; "
                      "is this the right file, and are --key and --group the right columns?",
                      total.read, bad, total.missing, total.blank, total.header);
  }
  return {};
}

}  // namespace bloomery
