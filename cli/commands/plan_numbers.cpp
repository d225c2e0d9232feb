#include "cli/commands/plan_numbers.h"

#include <fmt/format.h>

#include <vector>

#include "bank/bank_plan.h"
#include "base/error.h"
#include "bloomery/sizing.h"
#include "cli/output/console.h"
#include "cli/output/numbers.h"
#include "engines/job_clock.h"

namespace bloomery::cli {
namespace {

struct Sized {
  Kind kind = Kind::kBlocked;
  std::uint64_t keys = 0;
  FilterSize size;
};

// By the rules of another system.
Result<Sized> size_foreign(const FilterOptions& options, std::uint64_t keys) {
  const auto request = sizing_request(options);
  if (!request) return request.error();
  const auto plan = plan_groups({{"all", keys, keys}}, *request);
  if (!plan) return plan.error();
  const FilterSpec& spec = plan->front().spec;
  return Sized{spec.kind,
               keys,
               {spec.bits, spec.hashes, predicted_fpr(spec.kind, keys, spec.bits, spec.hashes)}};
}

Result<Sized> size_one(Kind kind, const FilterOptions& options, std::optional<std::uint64_t> keys) {
  const bool is_foreign = options.dialect != to_string(Dialect::kBloomery);
  if (is_foreign && keys) return size_foreign(options, *keys);
  std::optional<std::uint32_t> hashes;
  if (options.hashes) hashes = static_cast<std::uint32_t>(*options.hashes);
  if (!options.seeds.empty()) hashes = static_cast<std::uint32_t>(options.seeds.size());
  const auto room = room_of(kind, options);
  if (!room) return room.error();
  if (!*room) {
    const auto size = size_for(kind, *keys, options.fpr.value_or(kDefaultFpr), hashes);
    if (!size) return size.error();
    return Sized{kind, *keys, *size};
  }
  const std::uint64_t bits = **room;
  if (!keys) {
    const auto most = keys_within(kind, bits, options.fpr.value_or(kDefaultFpr), hashes);
    if (!most) return most.error();
    keys = *most;
    if (is_foreign) {
      FilterOptions room_alone = options;  // the keys follow from the rate, so it has been used
      room_alone.fpr.reset();
      return size_foreign(room_alone, *keys);
    }
  }
  const auto size = size_within(kind, *keys, bits, hashes);
  if (!size) return size.error();
  return Sized{kind, *keys, *size};
}

// Exactly what a bank with this one filter would take.
Result<std::uint64_t> bank_bytes_of(const Sized& sized, double fpr) {
  FilterSpec spec;
  spec.kind = sized.kind;
  spec.fpr = fpr;
  spec.planned_keys = sized.keys;
  spec.bits = sized.size.bits;
  spec.hashes = sized.size.hashes;
  const auto plan = BankPlan::create({{"all", spec, 0}}, {});
  if (!plan) return plan.error();
  return plan->file_size();
}

std::vector<Kind> kinds_of(const FilterOptions& options) {
  if (!options.kind.empty()) return {kind_from_string(options.kind).value()};
  const bool is_foreign = options.dialect != to_string(Dialect::kBloomery);
  if (is_foreign || !options.seeds.empty()) return {Kind::kClassic};
  return {Kind::kClassic, Kind::kBlocked, Kind::kCounting};
}

std::vector<Cell> row_of(const Sized& sized, std::uint64_t file_bytes) {
  const double bits_per_key = static_cast<double>(table_bytes(sized.kind, sized.size.bits)) * 8 /
                              static_cast<double>(sized.keys);
  return {Cell::text(std::string(to_string(sized.kind))),
          Cell::count(sized.keys),
          Cell::count(sized.size.bits),
          Cell::count(sized.size.hashes),
          Cell::number(bits_per_key),
          Cell::rate(sized.size.fpr),
          Cell::count(table_bytes(sized.kind, sized.size.bits)),
          Cell::count(file_bytes)};
}

}  // namespace

Result<ExitCode> plan_from_numbers(const FilterOptions& options, std::optional<std::uint64_t> keys,
                                   std::uint64_t memory, Console& console) {
  const bool has_room = options.bytes || options.bits;
  if (!keys && !(options.fpr && has_room)) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "--keys: missing; give two of --keys, --fpr and --bytes (or --bits), or a FILE");
  }
  if (keys && options.fpr && has_room) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: two of --keys, --fpr and --bytes (or --bits) give the third; leave one "
                      "out",
                      room_text(options));
  }
  Table table{.name = "filters",
              .columns = {{"kind", "kind", true},
                          {"keys", "keys"},
                          {"bits", "bits"},
                          {"hashes", "hashes"},
                          {"bits_per_key", "bits/key"},
                          {"predicted_fpr", "predicted fpr"},
                          {"bytes", "bytes"},
                          {"bank_bytes", "bank bytes"}}};
  bool fits = true;
  const auto kinds = kinds_of(options);
  for (const Kind kind : kinds) {
    const auto sized = size_one(kind, options, keys);
    if (!sized && kinds.size() == 1) return sized.error();
    if (!sized) {
      console.note(fmt::format("{}: {}", to_string(kind), sized.error().message));
      continue;
    }
    const auto bytes =
        bank_bytes_of(*sized, has_room ? sized->size.fpr : options.fpr.value_or(kDefaultFpr));
    if (!bytes) return bytes.error();
    fits = fits && (memory == 0 || table_bytes(kind, sized->size.bits) <= filter_memory(memory));
    table.rows.push_back(row_of(*sized, *bytes));
  }
  if (table.rows.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "no kind of filter can do this");
  }
  console.print({.tables = {table}});
  if (fits) return ExitCode::kOk;
  console.warn(fmt::format("does not fit --memory {}", size_text(memory)));
  return ExitCode::kNo;
}

}  // namespace bloomery::cli
