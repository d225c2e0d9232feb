#include "query/cost.h"

#include <algorithm>

#include "bank/container.h"
#include "base/file.h"

namespace bloomery {
namespace {

// Pages of 4 KiB that processors keep in mind reach about this far; below it, mapping costs
// nothing.
constexpr std::uint64_t kMinLoadBytes = std::uint64_t{8} << 20U;
constexpr std::uint64_t kLineBytes = 64;
constexpr std::uint64_t kKeysPerLine = 4;

// Nanoseconds for a probe of one line in a batch, by the size of the table it is in.
constexpr std::uint64_t kNearTable = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMiddleTable = std::uint64_t{32} << 20U;
constexpr double kNearLine = 2;
constexpr double kMiddleLine = 4;
constexpr double kFarLine = 12;
constexpr double kHashOnce = 4;

double nanoseconds_a_key(const FilterSpec& spec) {
  const std::uint64_t bytes = table_bytes(spec.kind, spec.bits);
  const double line = bytes <= kNearTable     ? kNearLine
                      : bytes <= kMiddleTable ? kMiddleLine
                                              : kFarLine;
  // Half of the bits of a full filter are zero, so a key that is not in it is denied after two
  // positions on average; keys that are in it take all k.
  const double lines = spec.kind == Kind::kBlocked ? 1 : std::min(2U, spec.hashes);
  const double hashes = spec.takes_hashes() ? 0 : 2;
  return lines * line + hashes * kHashOnce;
}

}  // namespace

BankAccess choose_access(std::uint64_t bank_bytes, std::optional<std::uint64_t> keys,
                         std::uint64_t memory) noexcept {
  const bool pays =
      keys && bank_bytes >= kMinLoadBytes && *keys / kKeysPerLine >= bank_bytes / kLineBytes;
  return pays && bank_bytes <= memory ? BankAccess::kLoad : BankAccess::kMap;
}

Result<Bank> open_for_keys(const std::string& path, std::optional<std::uint64_t> keys,
                           const OpenOptions& options) {
  const auto opened = open_to_read(path);
  if (!opened) return opened.error();
  const bool loads = choose_access(opened->size, keys, options.max_bytes) == BankAccess::kLoad;
  auto bank = open_bank(path, options, loads);
  if (!bank) return bank.error();
  return std::move(bank->bank);
}

ProbeCost probe_cost(const Bank& bank, std::uint64_t keys, std::span<const std::uint32_t> entries) {
  double a_key = kHashOnce;
  const auto add = [&](const BankEntry& entry) {
    a_key += nanoseconds_a_key(entry.filter().spec());
  };
  if (entries.empty()) {
    std::ranges::for_each(bank.entries(), add);
  } else {
    for (const std::uint32_t entry : entries) add(bank.entries()[entry]);
  }
  const std::size_t groups = entries.empty() ? bank.entries().size() : entries.size();
  return {static_cast<double>(keys) * static_cast<double>(groups),
          static_cast<double>(keys) * a_key * 1e-9};
}

}  // namespace bloomery
