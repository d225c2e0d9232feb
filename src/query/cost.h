// What asking will cost, before it is asked: open or load, and how long.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "bloomery/bank.h"
#include "bloomery/result.h"

namespace bloomery {

enum class BankAccess : std::uint8_t {
  kMap,   // Bank::open()
  kLoad,  // Bank::load()
};

// Loading copies every byte once into huge pages, which takes 40 to 60 ns a line; each key then
// saves the page-table walk that its line costs in a mapped file, 4 to 28 ns, more on older
// machines. So it pays for a bank whose pages the processor cannot keep in mind, when there are
// several keys for every line of it, and the memory for it. Without a number of keys (a pipe),
// maps.
[[nodiscard]] BankAccess choose_access(std::uint64_t bank_bytes, std::optional<std::uint64_t> keys,
                                       std::uint64_t memory) noexcept;

// Opens or loads a bank as choose_access() says, with options.max_bytes as the memory.
Result<Bank> open_for_keys(const std::string& path, std::optional<std::uint64_t> keys,
                           const OpenOptions& options = {});

// A forecast, good to a factor of two or so on a machine of today.
struct ProbeCost {
  double probes = 0;        // keys * groups
  double core_seconds = 0;  // hashing and probing on one core; reading the keys comes on top
};

// Of asking `keys` keys of the entries listed, or of all with an empty list.
[[nodiscard]] ProbeCost probe_cost(const Bank& bank, std::uint64_t keys,
                                   std::span<const std::uint32_t> entries = {});

}  // namespace bloomery
