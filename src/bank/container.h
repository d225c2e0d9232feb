// Filters in the containers of other systems: opened as banks, and written.
//
//   takes   a file that another system wrote; or groups with filters of its dialect
//   gives   a Bank that is asked, merged and verified like any other; or a file for that system
//
// Containers say less than banks do: no counts, mostly no rate, often no name. Counts are then the
// estimate that the bits give, the planned keys the most for which k is best in m bits, the rate
// what those give, and the group is "all". Equal m and k thus give equal specs, and filters of one
// sort merge.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bloomery/bank.h"
#include "dialect/rules.h"

namespace bloomery {

// The metadata of banks whose counts are estimates.
inline constexpr std::string_view kEstimatedCounts = "counts";

struct ContainerOptions {
  std::optional<Dialect> dialect;        // else by content
  std::string group = "all";             // of a filter without a name
  std::uint64_t max_bytes = UINT64_MAX;  // fails rather than take more memory for the tables
  unsigned threads = 0;
};

// The dialect of the container whose first bytes these are, of `size` bytes in all; or nothing.
[[nodiscard]] std::optional<Dialect> container_dialect(std::span<const std::byte> start,
                                                       std::uint64_t size) noexcept;

// Fails for bytes that are no such container, with the byte where that shows. `name` stands for the
// file in messages.
Result<Bank> read_container(std::span<const std::byte> bytes, std::string_view name,
                            const ContainerOptions& options = {});

// What there is at a path: a bank, or a container that is opened like one.
struct OpenedBank {
  Bank bank;
  std::optional<Dialect> container;  // nothing for a bank
};
// `loads` as in Bank::load(). Nothing is decided by the name of a file.
Result<OpenedBank> open_bank(const std::string& path, const OpenOptions& options = {},
                             bool loads = false);

// The rules of filters that are to be written, which must have one dialect, and not bloomery's own.
Result<const DialectRules*> rules_of_all(std::span<const GroupFilter> filters);

// Writes filters into the container of their dialect. Fails, naming the limit, for what the other
// system cannot hold, and for several filters where a container holds one.
Result<void> write_container(const std::string& path, std::span<const GroupFilter> filters,
                             bool overwrite);
Result<std::vector<std::byte>> container_bytes(std::span<const GroupFilter> filters);

}  // namespace bloomery
