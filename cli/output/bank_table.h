// The groups of a bank as a table: shared by the commands that show banks.
#pragma once

#include <string>
#include <vector>

#include "bloomery/bank.h"
#include "cli/output/console.h"

namespace bloomery::cli {

[[nodiscard]] Table bank_table_columns();
// Of the groups in `only`, or of all where it is empty.
[[nodiscard]] Table bank_table(const Bank& bank, const std::string& path,
                               const std::vector<std::string>& only);
[[nodiscard]] Json bank_json(const std::string& path, const Bank& bank, const Table& table);

// What a command says of a bank that it wrote, and of the command that comes next.
void add_written(Report& report, const Bank& bank, const std::string& path,
                 const std::string& next);

// "blocked, xxh3": every kind and every hash there is in it.
[[nodiscard]] std::string describe_filters(const Bank& bank);
[[nodiscard]] std::string digest_text(const Bank& bank);
[[nodiscard]] std::string digest_text(const std::array<std::byte, 16>& digest);

// The groups that --only names, each as it is or as it is printed. Fails, with a guess at what was
// meant, for one that the bank does not have.
Result<std::vector<std::string>> groups_named(const Bank& bank, const std::string& path,
                                              const std::vector<std::string>& typed);

// Warns of filters that hold more keys than planned and whose rate has become half as high again.
bool warn_of_overfull(const Bank& bank, const std::string& path, const Console& console);

}  // namespace bloomery::cli
