#include "engines/check_tally.h"

#include "base/error.h"

namespace bloomery {

Result<void> check_tally(const Tally& tally, const RejectPolicy& policy) {
  if (const auto adds_up = tally.check(); !adds_up) return adds_up;
  const FileTally total = tally.total();
  const auto limit = policy.max_bad * static_cast<double>(total.read);
  const std::uint64_t bad = total.rejected_total();
  if (!policy.is_lenient && static_cast<double>(bad) > limit) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{} of {} records are bad, more than --max-bad {} allows; look at them with "
                      "--rejects FILE, or go on with --lenient",
                      bad, total.read, policy.max_bad);
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
