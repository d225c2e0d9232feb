#include "cli/output/bank_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bank/container.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/frame/parse.h"
#include "cli/output/numbers.h"

namespace bloomery::cli {
namespace {

std::vector<Cell> row_of(const BankEntry& entry, const std::string& path) {
  const FilterSpec& spec = entry.filter().spec();
  const std::uint64_t bytes = entry.filter().table().size();
  const auto keys = static_cast<double>(entry.count());
  const double estimate = estimated_keys(spec, entry.ones());
  Cell estimated = Cell::number(estimate);
  if (!estimated.value.is_null()) estimated.shown = grouped(nearest(estimate));
  return {Cell::bytes(path),
          Cell::bytes(entry.group()),
          Cell::text(std::string(to_string(spec.dialect))),
          Cell::text(std::string(to_string(spec.kind))),
          Cell::text(std::string(to_string(spec.hasher.id()))),
          Cell::count(entry.count()),
          Cell::count(spec.planned_keys),
          std::move(estimated),
          Cell::count(spec.bits),
          Cell::count(spec.hashes),
          Cell::count(bytes),
          keys > 0 ? Cell::number(static_cast<double>(bytes) * 8 / keys) : Cell{.shown = "-"},
          Cell::number(static_cast<double>(entry.ones()) / static_cast<double>(spec.bits)),
          Cell::rate(spec.fpr),
          Cell::rate(entry.filter().achieved_fpr())};
}

}  // namespace

Table bank_table_columns() {
  return {.name = "groups",
          .columns = {{"bank"},
                      {"group", "group", true},
                      {"dialect"},
                      {"kind"},
                      {"hash"},
                      {"keys", "keys"},
                      {"planned_keys"},
                      {"estimated_keys", "estimated"},
                      {"bits", "bits"},
                      {"hashes", "k"},
                      {"bytes"},
                      {"bits_per_key", "bits/key"},
                      {"fill", "fill"},
                      {"fpr", "fpr"},
                      {"achieved_fpr", "achieved fpr"}}};
}

Table bank_table(const Bank& bank, const std::string& path, const std::vector<std::string>& only) {
  Table table = bank_table_columns();
  for (const BankEntry& entry : bank.entries()) {
    if (!only.empty() && std::ranges::find(only, entry.group()) == only.end()) continue;
    table.rows.push_back(row_of(entry, path));
  }
  return table;
}

Json bank_json(const std::string& path, const Bank& bank, const Table& table) {
  Json json = Json::object();
  put_bytes(json, "bank", path);
  json["bytes"] = bank.file_size();
  json["digest"] = digest_text(bank);
  for (const auto& [member, texts] :
       {std::pair("recipe", &bank.recipe()), std::pair("metadata", &bank.metadata())}) {
    Json list = Json::array();
    for (const auto& [name, text] : *texts) {
      Json item = Json::object();
      put_bytes(item, "name", name);
      put_bytes(item, "text", text);
      list.push_back(std::move(item));
    }
    json[member] = std::move(list);
  }
  json["groups"] = to_json(table);
  return json;
}

void add_written(Report& report, const Bank& bank, const std::string& path,
                 const std::string& next) {
  put_bytes(report.document, "output", path);
  report.document["bytes"] = bank.file_size();
  report.foot = {
      {"wrote", fmt::format("{}   {} bytes   {}   checked", printable_path(path),
                            grouped(bank.file_size()), counted(bank.entries().size(), "group"))},
      {"next", next}};
}

std::string describe_filters(const Bank& bank) {
  std::set<std::string_view> dialects;
  std::set<std::string_view> kinds;
  std::set<std::string_view> hashes;
  bool is_locked = false;
  for (const BankEntry& entry : bank.entries()) {
    const Dialect dialect = entry.filter().spec().dialect;
    if (dialect != Dialect::kBloomery) dialects.insert(to_string(dialect));
    kinds.insert(to_string(entry.filter().spec().kind));
    hashes.insert(to_string(entry.filter().spec().hasher.id()));
    is_locked = is_locked || entry.filter().spec().hasher.is_locked();
  }
  return fmt::format("{}{}; hash {}{}", fmt::join(kinds, ", "),
                     dialects.empty() ? "" : fmt::format(" of {}", fmt::join(dialects, ", ")),
                     fmt::join(hashes, ", "), is_locked ? " with a secret key" : "");
}

std::string digest_text(const std::array<std::byte, 16>& digest) {
  std::string text;
  for (const std::byte byte : digest) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

std::string digest_text(const Bank& bank) {
  return digest_text(bank.digest());
}

Result<std::vector<std::string>> groups_named(const Bank& bank, const std::string& path,
                                              const std::vector<std::string>& typed) {
  std::vector<std::string> groups;
  for (const std::string& text : typed) {
    std::string name = unescaped(text);
    if (bank.find(text) != nullptr) name = text;
    if (bank.find(name) != nullptr) {
      groups.push_back(std::move(name));
      continue;
    }
    std::vector<std::string> known;
    for (const BankEntry& entry : bank.entries()) known.emplace_back(entry.group());
    const std::string hint =
        fmt::format("; bloomery inspect --groups {} lists them", printable_path(path));
    return make_error(ErrorCode::kNotFound, "--only {}: no such group in {}{}", escaped(text),
                      printable_path(path), suggestion(text, known, hint));
  }
  return groups;
}

bool warn_of_overfull(const Bank& bank, const std::string& path, const Console& console) {
  bool is_overfull = false;
  if (bank.metadata().contains(kEstimatedCounts)) return false;
  for (const BankEntry& entry : bank.entries()) {
    const FilterSpec& spec = entry.filter().spec();
    if (entry.count() <= spec.planned_keys) continue;
    const double rate = entry.filter().achieved_fpr();
    if (rate <= 1.5 * spec.fpr) continue;
    is_overfull = true;
    console.warn(fmt::format(
        "{}: group \"{}\": {} keys in a filter for {}, so its fpr is {} instead of {}; build it "
        "again for more keys",
        printable_path(path), escaped(entry.group()), grouped(entry.count()),
        grouped(spec.planned_keys), percent(rate), percent(spec.fpr)));
  }
  return is_overfull;
}

}  // namespace bloomery::cli
