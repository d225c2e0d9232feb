// Any bytes as a bank: refused with a message, or right in every way that can be checked.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>

#include "bank/record.h"
#include "bloomery/bank.h"

namespace {

using namespace bloomery;

// Stays in optimised builds, unlike assert().
void require(bool fact, const char* what) {
  if (fact) return;
  std::cerr << "not true: " << what << '\n';
  std::abort();
}

struct Free {
  void operator()(std::byte* memory) const noexcept { std::free(memory); }
};

// A copy on a multiple of 64 that ends where the input does, so that reading beyond it is seen.
std::unique_ptr<std::byte, Free> aligned_copy(const std::uint8_t* data, std::size_t size) {
  void* memory = nullptr;
  require(::posix_memalign(&memory, kAlignment, std::max<std::size_t>(size, 1)) == 0, "memory");
  if (size != 0) std::memcpy(memory, data, size);
  return std::unique_ptr<std::byte, Free>(static_cast<std::byte*>(memory));
}

OpenOptions options() {
  OpenOptions options;
  options.threads = 1;
  options.allow_locked = true;  // or nothing behind an unknown secret would be reached
  SecretKey secret{};
  for (std::size_t i = 0; i < secret.size(); ++i) secret[i] = static_cast<std::byte>(i);
  options.secret = secret;
  return options;
}

void check_entries(const Bank& bank) {
  const auto groups = bank.groups_of("tt0000001");
  std::string_view previous;
  for (std::size_t i = 0; i < bank.entries().size(); ++i) {
    const BankEntry& entry = bank.entries()[i];
    require(entry.group() > previous, "groups ascend");
    previous = entry.group();
    require(bank.find(entry.group()) == &entry, "a group is found");
    require(validate(entry.filter().spec()).has_value(), "the spec is valid");
    require(entry.ones() == entry.filter().ones(), "ones are counted");
    const bool may_contain = entry.filter().may_contain("tt0000001");
    require(may_contain == std::ranges::binary_search(groups, i), "groups_of() asks every group");
    require(entry.ones() != 0 || !may_contain || entry.filter().spec().hasher.is_locked(),
            "an empty filter denies");
  }
}

// What is written from a bank is that bank, byte for byte.
void check_rewriting(const Bank& bank, std::span<const std::byte> bytes) {
  std::vector<GroupFilter> filters;
  for (const BankEntry& entry : bank.entries()) {
    filters.push_back({entry.group(), &entry.filter(), entry.count()});
  }
  WriteOptions texts;
  texts.recipe = bank.recipe();
  texts.metadata = bank.metadata();
  texts.threads = 1;
  const auto again = bank_bytes(filters, texts);
  require(again.has_value(), "what was read can be written");
  // Features that may be ignored are lost, with what belongs to them.
  if (decode_header(bytes.first<kHeaderBytes>()).may_ignore != 0) return;
  require(std::ranges::equal(*again, bytes), "written again, it has the same bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto copy = aligned_copy(data, size);
  const std::span<const std::byte> bytes(copy.get(), size);
  const auto bank = Bank::from_bytes(bytes, "input", options());
  if (!bank) {
    require(bank.error().message.starts_with("input: "), "the message begins with the name");
    return 0;
  }
  check_entries(*bank);
  check_rewriting(*bank, bytes);
  return 0;
}
