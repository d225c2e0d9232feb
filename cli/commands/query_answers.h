// Collects keys, asks for many at once, and prints the answers in the order of the keys.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/console.h"
#include "group/recipe.h"
#include "parse/tally.h"
#include "query/bank_query.h"

namespace bloomery::cli {

struct AnswerOptions {
  bool keeps_records = false;
  bool is_inverted = false;
  bool only_counts = false;
  KeyType key_type = KeyType::kText;  // keys that are numbers are printed as such
};

class Asker {
 public:
  // Everything must outlive it.
  Asker(const Bank& bank, const BankQuery& query, const AnswerOptions& options, Console& console);

  [[nodiscard]] bool keeps_records() const noexcept { return options_.keeps_records; }
  // The key and its record are copied. Without keeps_records() the record does not matter.
  Result<void> take(std::string_view key, std::string_view record);
  // A table's first line, which passes with --keep-records: of the first file only.
  void take_header(std::string_view header);
  void add_tally(const FileTally& tally) { tally_ += tally; }

  // Asks what is left, prints counts where they were wanted, and says what was not asked.
  Result<ExitCode> finish();

 private:
  // Enough for every thread of a large machine to have its share (bank_query.h), and fewer where
  // long records or the answers of many groups would take more memory than is good.
  static constexpr std::size_t kKeysAtOnce = std::size_t{1} << 16U;
  static constexpr std::size_t kBytesAtOnce = std::size_t{64} << 20U;
  static constexpr std::size_t kProbesAtOnce = std::size_t{1} << 28U;

  // Where a key and its record lie in bytes_.
  struct Place {
    std::size_t key = 0;
    std::size_t key_size = 0;
    std::size_t record = 0;
    std::size_t record_size = 0;
  };

  Result<void> ask();
  void print_groups(std::span<const std::string_view> keys);
  void print_answer(std::string_view key, std::span<const std::uint32_t> groups);
  void print_chosen(std::span<const std::string_view> keys);
  void print_json(std::string_view key, std::span<const std::uint32_t> groups);
  void print_counts();
  void print_table();
  [[nodiscard]] std::string shown(std::string_view key) const;
  [[nodiscard]] std::string list_of(std::span<const std::uint32_t> groups) const;

  const Bank* bank_;
  const BankQuery* query_;
  AnswerOptions options_;
  Console* console_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::vector<std::string> names_;  // of the bank's groups, as they are printed
  std::size_t keys_at_once_;
  std::string bytes_;
  std::vector<Place> places_;
  bool has_header_ = false;
  Table table_;  // answers that are not printed yet, where the format is one of tables
  QueryCounts counts_;
  FileTally tally_;
};

// How many keys the inputs may hold, from their sizes, with the words; nothing for a pipe.
[[nodiscard]] std::optional<std::uint64_t> expected_keys(const std::vector<std::string>& paths,
                                                         std::size_t words);

}  // namespace bloomery::cli
