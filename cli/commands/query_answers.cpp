#include "cli/commands/query_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/endian.h"
#include "base/error.h"
#include "cli/output/numbers.h"

namespace bloomery::cli {
namespace {

// On a terminal nothing that it would obey; elsewhere only what would end the key.
std::string key_text(const Console& console, std::string_view key) {
  return console.is_terminal() ? escaped(key, SIZE_MAX) : escaped_field(key);
}

// As it is, but for what a terminal would obey.
void put_record(Console& console, std::string_view record) {
  if (!console.is_terminal()) return console.out().put(record);
  while (true) {
    const std::size_t end = record.find_first_of("\t\n");
    console.out().put(escaped(record.substr(0, end), SIZE_MAX));
    if (end == std::string_view::npos) return;
    console.out().put(record.substr(end, 1));
    record.remove_prefix(end + 1);
  }
}

bool is_of_tables(Format format) {
  return format == Format::kCsv || format == Format::kTsv || format == Format::kMarkdown;
}

// Commas stand between names, so one inside a name is escaped, too.
std::string list_name(std::string_view group) {
  std::string name = escaped(group, SIZE_MAX);
  for (std::size_t at = 0; (at = name.find(',', at)) != std::string::npos; at += 4) {
    name.replace(at, 1, "\\x2c");
  }
  return name;
}

}  // namespace

Asker::Asker(const Bank& bank, const BankQuery& query, const AnswerOptions& options,
             Console& console)
    : bank_(&bank),
      query_(&query),
      options_(options),
      console_(&console),
      keys_at_once_(
          std::clamp<std::size_t>(kProbesAtOnce / std::max<std::size_t>(query.asked().size(), 1),
                                  BatchProber::kBatchKeys, kKeysAtOnce)) {
  for (const BankEntry& entry : bank.entries()) names_.push_back(list_name(entry.group()));
  counts_.by_group.resize(query.asked().size());
  table_.columns = {{"key", "key", true}};
  if (!options.is_inverted) table_.columns.push_back({"groups", "groups", true});
}

Result<void> Asker::take(std::string_view key, std::string_view record) {
  Place place{bytes_.size(), key.size(), 0, 0};
  bytes_.append(key);
  if (options_.keeps_records) {
    place.record = bytes_.size();
    place.record_size = record.size();
    bytes_.append(record);
  }
  places_.push_back(place);
  const bool is_full = places_.size() >= keys_at_once_ || bytes_.size() >= kBytesAtOnce;
  return is_full ? ask() : Result<void>();
}

void Asker::take_header(std::string_view header) {
  if (!options_.keeps_records || options_.only_counts || has_header_) return;
  has_header_ = true;
  console_->out().put(header);
  console_->out().put("\n");
}

Result<void> Asker::ask() {
  std::vector<std::string_view> keys;
  keys.reserve(places_.size());
  for (const Place& place : places_) {
    keys.push_back(std::string_view(bytes_).substr(place.key, place.key_size));
  }
  if (options_.only_counts) {
    counts_.merge(query_->count(keys));
  } else if (options_.keeps_records || options_.is_inverted) {
    print_chosen(keys);
  } else {
    print_groups(keys);
  }
  print_table();
  bytes_.clear();
  places_.clear();
  return console_->out().is_closed() ? console_->out().finish() : Result<void>();
}

// A key as it was given.
std::string Asker::shown(std::string_view key) const {
  if (options_.key_type == KeyType::kText) return std::string(key);
  return options_.key_type == KeyType::kU64 ? std::to_string(load_le<std::uint64_t>(key.data()))
                                            : std::to_string(load_le<std::int64_t>(key.data()));
}

std::string Asker::list_of(std::span<const std::uint32_t> groups) const {
  std::string list;
  for (const std::uint32_t group : groups) {
    if (!list.empty()) list += ',';
    list += names_[group];
  }
  return list;
}

void Asker::print_groups(std::span<const std::string_view> keys) {
  const GroupLists lists = query_->groups_of(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto groups = lists[i];
    ++(groups.empty() ? counts_.rejected : counts_.admitted);
    // Programs get an answer for every key, people for those that may be there.
    if (console_->is_json() || (!groups.empty() && console_->shows_results())) {
      print_answer(keys[i], groups);
    }
  }
}

// With --invert, of keys that are in no group, the key alone.
void Asker::print_answer(std::string_view key, std::span<const std::uint32_t> groups) {
  if (console_->is_json()) return print_json(key, groups);
  const std::string text = shown(key);
  if (is_of_tables(console_->format())) {
    table_.rows.push_back({Cell::bytes(text)});
    if (!options_.is_inverted) table_.rows.back().push_back(Cell::text(list_of(groups)));
    return;
  }
  Writer& out = console_->out();
  out.put(key_text(*console_, text));
  if (!options_.is_inverted) {
    out.put("\t");
    out.put(list_of(groups));
  }
  out.put("\n");
}

void Asker::print_table() {
  const Format format = console_->format();
  if (!is_of_tables(format) || options_.only_counts || options_.keeps_records) return;
  console_->out().put(has_header_ ? rows_text(table_, format) : to_text(table_, format, false));
  has_header_ = true;
  table_.rows.clear();
}

void Asker::print_json(std::string_view key, std::span<const std::uint32_t> groups) {
  Json line = Json::object();
  put_bytes(line, "key", shown(key));
  line["groups"] = Json::array();
  for (const std::uint32_t group : groups) {
    Json name = Json::object();
    put_bytes(name, "groups", bank_->entries()[group].group());
    for (const auto& [member, text] : name.items()) line[member].push_back(text);
  }
  line["n_groups"] = query_->asked().size();
  console_->print_line(line);
}

// Records or keys, those that were chosen: admitted, or with --invert rejected.
void Asker::print_chosen(std::span<const std::string_view> keys) {
  const Answers chosen = options_.is_inverted ? query_->none_of(keys) : query_->any_of(keys);
  const std::size_t count = chosen.count();
  counts_.admitted += options_.is_inverted ? keys.size() - count : count;
  counts_.rejected += options_.is_inverted ? count : keys.size() - count;
  if (!console_->shows_results()) return;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!chosen[i]) continue;
    if (options_.keeps_records) {
      put_record(*console_,
                 std::string_view(bytes_).substr(places_[i].record, places_[i].record_size));
      console_->out().put("\n");
    } else {
      print_answer(keys[i], {});
    }
  }
}

void Asker::print_counts() {
  Report report;
  report.document["admitted"] = counts_.admitted;
  report.document["rejected"] = counts_.rejected;
  report.document["without_key"] = tally_.missing;
  report.document["bad"] = tally_.rejected_total();
  report.document["wall_seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  report.head = {{"admitted", grouped(counts_.admitted)}, {"rejected", grouped(counts_.rejected)}};
  Table table{.name = "groups", .columns = {{"group", "group", true}, {"admitted", "admitted"}}};
  for (std::size_t i = 0; i < query_->asked().size(); ++i) {
    table.rows.push_back({Cell::bytes(bank_->entries()[query_->asked()[i]].group()),
                          Cell::count(counts_.by_group[i])});
  }
  report.tables = {table};
  console_->print(report);
}

Result<ExitCode> Asker::finish() {
  if (const auto asked = ask(); !asked) return asked.error();
  if (options_.only_counts) print_counts();
  const std::uint64_t unasked = tally_.missing + tally_.rejected_total();
  if (unasked > 0) {
    console_->note(fmt::format("{} without a key and {} were not asked about",
                               counted(tally_.missing, "record"),
                               counted(tally_.rejected_total(), "bad record")));
  }
  return counts_.admitted > 0 ? ExitCode::kOk : ExitCode::kNo;
}

std::optional<std::uint64_t> expected_keys(const std::vector<std::string>& paths,
                                           std::size_t words) {
  constexpr std::uint64_t kBytesAKey = 16;
  std::uint64_t bytes = 0;
  for (const std::string& path : paths) {
    std::error_code error;
    const std::uint64_t size = path == "-" ? 0 : std::filesystem::file_size(path, error);
    if (path == "-" || error) return std::nullopt;
    bytes += size;
  }
  return words + bytes / kBytesAKey;
}

}  // namespace bloomery::cli
