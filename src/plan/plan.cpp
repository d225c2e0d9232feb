#include "plan/plan.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/rate_digits.h"
#include "bloomery/sizing.h"
#include "dialect/rules.h"

namespace bloomery {
namespace {

Result<FilterSize> textbook_size(const SizingRequest& request, std::uint64_t keys,
                                 std::optional<std::uint32_t> hashes) {
  if (!request.bits) return size_for(request.kind, keys, request.fpr, hashes);
  return size_within(request.kind, keys, *request.bits, hashes);
}

// Another system's limits, and the reach of its positions.
Result<FilterSize> checked_size(const DialectRules& rules, FilterSize size) {
  if (auto fits = check_limits(rules, size.bits); !fits) return fits.error();
  if (size.bits > rules.max_useful_bits) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "bits: {} are more than the {} that positions of {} reach; use more groups or "
        "a higher fpr",
        size.bits, rules.max_useful_bits, rules.system);
  }
  return size;
}

// By the other system's own formula, or by the textbook's where it has none.
Result<FilterSize> foreign_size(const DialectRules& rules, const SizingRequest& request,
                                std::uint64_t keys) {
  if (request.bits || rules.size_for == nullptr) {
    const auto size = textbook_size(request, keys, request.hashes);
    return size ? checked_size(rules, *size) : size;
  }
  // Checks what was asked for, in our own words.
  if (auto valid = size_for(request.kind, keys, request.fpr, request.hashes); !valid) return valid;
  const auto size = rules.size_for(keys, request.fpr, request.hashes);
  if (!size) return size.error();
  return checked_size(rules, {size->bits, size->hashes,
                              predicted_fpr(request.kind, keys, size->bits, size->hashes)});
}

Result<FilterSize> size_of(const SizingRequest& request, std::uint64_t keys) {
  if (const DialectRules* rules = rules_of(request.dialect)) {
    return foreign_size(*rules, request, keys);
  }
  std::optional<std::uint32_t> hashes = request.hashes;
  if (!request.seeds.empty()) hashes = static_cast<std::uint32_t>(request.seeds.size());
  return textbook_size(request, keys, hashes);
}

Result<FilterSpec> spec_of(const SizingRequest& request, std::uint64_t keys) {
  const auto size = size_of(request, keys);
  if (!size) return size.error();
  FilterSpec spec;
  spec.dialect = request.dialect;
  spec.kind = request.kind;
  spec.hasher = request.hasher;
  // A given size promises the rate it gives.
  spec.fpr = request.bits ? in_five_digits(size->fpr) : request.fpr;
  spec.planned_keys = keys;
  spec.bits = size->bits;
  spec.hashes = size->hashes;
  spec.seeds = request.seeds;
  if (const auto valid = validate(spec); !valid) return valid.error();
  return spec;
}

}  // namespace

Hasher counting_hasher(const SizingRequest& request) {
  return request.dialect == Dialect::kBloomery ? request.hasher : Hasher();
}

Result<std::vector<GroupPlan>> plan_groups(std::vector<GroupCount> counts,
                                           const SizingRequest& request) {
  std::sort(counts.begin(), counts.end(),
            [](const GroupCount& a, const GroupCount& b) { return a.group < b.group; });
  std::vector<GroupPlan> plan;
  plan.reserve(counts.size());
  for (GroupCount& count : counts) {
    auto spec = spec_of(request, count.planned);
    if (!spec) {
      return make_error(spec.error().code, "group \"{}\": {}", escaped(count.group),
                        spec.error().message);
    }
    plan.push_back({std::move(count.group), *std::move(spec), count.records});
  }
  return plan;
}

}  // namespace bloomery
