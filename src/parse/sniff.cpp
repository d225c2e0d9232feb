#include "parse/sniff.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "parse/sample.h"

namespace bloomery {
namespace {

constexpr std::size_t kRecords = 100;
constexpr std::array kCandidates{'\t', ',', ';', '|'};

bool looks_like_json(std::string_view record) noexcept {
  const std::size_t first = record.find_first_not_of(" \t");
  const std::size_t last = record.find_last_not_of(" \t");
  return first != std::string_view::npos && record[first] == '{' && record[last] == '}';
}

bool default_quotes(char delimiter) noexcept {
  return delimiter != '\t';
}

// How many records have as many fields as the first, if that is more than one.
std::size_t agreement(const std::vector<SampleRecord>& records, const Layout& layout) {
  std::size_t expected = 0;
  std::size_t agreeing = 0;
  for (const SampleRecord& record : records) {
    const auto fields = split_fields(record.text, layout);
    if (!fields) continue;
    if (expected == 0) expected = fields->size();
    if (fields->size() == expected) ++agreeing;
  }
  return expected > 1 ? agreeing : 0;
}

}  // namespace

Layout sniff_layout(std::string_view text, bool is_whole, const LayoutOptions& options) {
  Layout layout;
  layout.format = TextFormat::kDelimited;
  layout.multiline = options.multiline;
  const auto records = first_records(text, kRecords, options.multiline, is_whole);
  if (options.format) {
    layout.format = *options.format;
  } else if (!options.delimiter && !records.empty() && looks_like_json(records[0].text)) {
    layout.format = TextFormat::kJson;
  }
  if (layout.format != TextFormat::kDelimited) return layout;

  // One column needs no delimiter; quotes then say that it is CSV all the same.
  const bool starts_quoted = !records.empty() && records[0].text.starts_with('"');
  layout.delimiter = options.delimiter.value_or(starts_quoted ? ',' : '\t');
  if (!options.delimiter) {
    std::size_t best = 0;
    for (const char candidate : kCandidates) {
      Layout tried = layout;
      tried.delimiter = candidate;
      tried.quotes = options.quotes.value_or(default_quotes(candidate));
      const std::size_t agreeing = agreement(records, tried);
      if (agreeing <= best) continue;
      best = agreeing;
      layout.delimiter = candidate;
    }
  }
  layout.quotes = options.quotes.value_or(default_quotes(layout.delimiter));
  return layout;
}

}  // namespace bloomery
