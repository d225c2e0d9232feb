// Any bytes as a container of another system: refused with a message, or a bank that is whole and
// gives the container back.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "bank/container.h"

namespace {

using namespace bloomery;

// Stays in optimised builds, unlike assert().
void require(bool fact, const char* what) {
  if (fact) return;
  std::cerr << "not true: " << what << '\n';
  std::abort();
}

void check_bank(const Bank& bank) {
  for (const BankEntry& entry : bank.entries()) {
    require(validate(entry.filter().spec()).has_value(), "the spec is valid");
    require(entry.ones() == entry.filter().ones(), "ones are counted");
    require(entry.ones() != 0 || !entry.filter().may_contain("tt0000001"),
            "an empty filter denies");
    auto copy = Filter::copy_of(entry.filter());
    require(copy.has_value(), "it can be copied");
    copy->insert("tt0000001");
    require(copy->may_contain("tt0000001"), "what is inserted is found");
  }
}

// Written again it says the same, if not always in the same bytes: text may be spaced at will.
void check_rewriting(const Bank& bank, Dialect dialect, std::span<const std::byte> bytes) {
  std::vector<GroupFilter> filters;
  for (const BankEntry& entry : bank.entries()) {
    filters.push_back({entry.group(), &entry.filter(), entry.count()});
  }
  const auto again = container_bytes(filters);
  require(again.has_value(), "what was read can be written");
  const bool is_binary = dialect == Dialect::kSpark || dialect == Dialect::kSparkV1;
  require(!is_binary || std::ranges::equal(*again, bytes), "it has the same bytes");
  ContainerOptions options;
  options.dialect = dialect;
  options.threads = 1;
  const auto second = read_container(*again, "again", options);
  require(second.has_value(), "what was written can be read");
  require(second->entries().size() == bank.entries().size(), "it has as many filters");
  for (std::size_t i = 0; i < bank.entries().size(); ++i) {
    require(std::ranges::equal(second->entries()[i].filter().table(),
                               bank.entries()[i].filter().table()),
            "it has the same bits");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  for (const Dialect dialect : all_dialects().subspan(1)) {
    ContainerOptions options;
    options.dialect = dialect;
    options.max_bytes = std::uint64_t{1} << 20U;
    options.threads = 1;
    const auto bank = read_container(bytes, "input", options);
    if (!bank) {
      require(bank.error().message.starts_with("input: "), "the message begins with the name");
      continue;
    }
    check_bank(*bank);
    check_rewriting(*bank, dialect, bytes);
  }
  (void)container_dialect(bytes, size);
  return 0;
}
