#include <algorithm>
#include <map>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "bloomery/bank.h"
#include "filter/table_ops.h"

namespace bloomery {
namespace {

// What is read, merged and written at once.
constexpr std::size_t kPieceBytes = std::size_t{1} << 20U;

// The entries of one group in all banks that have it, in the order of the banks.
using Sources = std::map<std::string_view, std::vector<const BankEntry*>>;

Result<WriteOptions> texts_of(std::span<const Bank* const> banks, WriteOptions options) {
  options.recipe = banks.front()->recipe();
  options.metadata.clear();
  for (const Bank* bank : banks) {
    if (bank->recipe() != options.recipe) {
      return make_error(ErrorCode::kMismatch,
                        "recipes differ; only banks whose keys were made alike merge");
    }
    for (const auto& [name, text] : bank->metadata()) {
      const auto [there, is_new] = options.metadata.try_emplace(name, text);
      if (!is_new && there->second != text) {
        return make_error(ErrorCode::kMismatch, R"(metadata "{}" differs ("{}" and "{}"))",
                          escaped(name), escaped(there->second), escaped(text));
      }
    }
  }
  return options;
}

Sources sources_of(std::span<const Bank* const> banks) {
  Sources sources;
  for (const Bank* bank : banks) {
    for (const BankEntry& entry : bank->entries()) sources[entry.group()].push_back(&entry);
  }
  return sources;
}

Result<BankWriter::Entry> merged_entry(std::string_view group,
                                       std::span<const BankEntry* const> sources) {
  BankWriter::Entry merged{std::string(group), sources.front()->filter().spec(), 0};
  for (const BankEntry* source : sources) {
    const FilterSpec& spec = source->filter().spec();
    if (spec != merged.spec) {
      return make_error(ErrorCode::kMismatch, "group \"{}\": {}; only filters of one spec merge",
                        escaped(group), describe_difference(merged.spec, spec));
    }
    if (__builtin_add_overflow(merged.count, source->count(), &merged.count)) {
      return make_error(ErrorCode::kInvalidArgument, "group \"{}\": more than 2^64 keys together",
                        escaped(group));
    }
  }
  return merged;
}

Result<void> write_merged(BankWriter& writer, std::string_view group,
                          std::span<const BankEntry* const> sources,
                          std::vector<std::uint64_t>& words) {
  const Kind kind = sources.front()->filter().spec().kind;
  const std::size_t size = sources.front()->filter().table().size();
  for (std::size_t offset = 0; offset < size; offset += kPieceBytes) {
    const std::size_t piece_size = std::min(kPieceBytes, size - offset);
    auto piece = std::as_writable_bytes(std::span(words)).first(piece_size);
    std::ranges::copy(sources.front()->filter().table().subspan(offset, piece_size), piece.begin());
    for (const BankEntry* source : sources.subspan(1)) {
      merge_tables(kind, piece, source->filter().table().subspan(offset, piece_size));
    }
    if (auto written = writer.write(group, offset, piece); !written) return written;
  }
  return {};
}

}  // namespace

Result<void> merge_banks(std::span<const Bank* const> banks, const std::string& path,
                         const WriteOptions& options) {
  const auto failed = [&](const Error& error) {
    return Error{error.code, printable_path(path) + ": cannot merge: " + error.message};
  };
  if (banks.empty()) return failed({ErrorCode::kInvalidArgument, "no banks; name at least one"});
  if (std::ranges::find(banks, nullptr) != banks.end()) {
    return failed({ErrorCode::kInvalidArgument, "one of the banks is none"});
  }
  const auto texts = texts_of(banks, options);
  if (!texts) return failed(texts.error());
  const Sources sources = sources_of(banks);
  std::vector<BankWriter::Entry> entries;
  entries.reserve(sources.size());
  for (const auto& [group, list] : sources) {
    auto entry = merged_entry(group, list);
    if (!entry) return failed(entry.error());
    entries.push_back(std::move(*entry));
  }
  auto writer = BankWriter::create(path, std::move(entries), *texts);
  if (!writer) return writer.error();
  std::vector<std::uint64_t> words(kPieceBytes / sizeof(std::uint64_t));
  for (const auto& [group, list] : sources) {
    if (auto written = write_merged(*writer, group, list, words); !written) return written;
  }
  return writer->commit();
}

}  // namespace bloomery
