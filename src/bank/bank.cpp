#include "bloomery/bank.h"

#include <algorithm>
#include <map>
#include <new>
#include <utility>
#include <variant>

#include "bank/bank_plan.h"
#include "bank/head_reader.h"
#include "bank/identify.h"
#include "bank/payload.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mapped_file.h"
#include "base/memory.h"
#include "hash/hasher_order.h"

namespace bloomery {
namespace {

// Where a bank is read from.
struct Source {
  std::span<const std::byte> file;
  // Makes bytes of the file present, where they are not there already.
  using Fetch = std::function<Result<void>(std::uint64_t offset, std::uint64_t size)>;
  Fetch fetch = [](std::uint64_t, std::uint64_t) { return Result<void>(); };
  std::string_view name;
  // Others can write to it. What was checked must then be what is used, so everything but the
  // tables is used from a copy, and the extension not at all.
  bool may_change = false;
};

TablePlace place_of(const EntryRecord& entry, std::uint64_t payload_offset) noexcept {
  return table_place(Kind{entry.kind}, entry.m, entry.table_offset - payload_offset);
}

// The groups with bytes in a block, for a message.
std::string groups_in_block(const CheckedHead& head, const Payload& payload, std::uint64_t block) {
  const std::uint64_t start = block * kChecksumBlockBytes;
  const std::uint64_t last = std::min(start + kChecksumBlockBytes, payload.size) - 1;
  const std::size_t first_table = table_at(payload, start);
  const std::size_t last_table = table_at(payload, last);
  const auto group = [&](std::size_t i) { return escaped(head.group(head.entry(i))); };
  if (first_table == last_table) return fmt::format("group \"{}\"", group(first_table));
  return fmt::format(R"(groups "{}" to "{}")", group(first_table), group(last_table));
}

Result<void> compare(const CheckedHead& head, const Payload& payload, const PayloadFacts& facts,
                     std::string_view name) {
  for (std::uint64_t block = 0; block < facts.checksums.size(); ++block) {
    if (facts.checksums[block] == head.block_checksum(block)) continue;
    return damaged_at(name, head.layout().payload + block * kChecksumBlockBytes,
                      fmt::format("{}: the checksum of block {} does not match",
                                  groups_in_block(head, payload, block), block));
  }
  for (std::size_t i = 0; i < head.entry_count(); ++i) {
    const EntryRecord entry = head.entry(i);
    if (facts.dirty == i) {
      return damaged_at(name, entry.table_offset,
                        fmt::format("group \"{}\": bits past the end of its table are not zero",
                                    escaped(head.group(entry))));
    }
    if (facts.ones[i] == entry.ones) continue;
    return damaged_at(name, head.entry_offset(i) + static_cast<std::uint64_t>(EntryField::kOnes),
                      fmt::format("group \"{}\": {} ones where its table has {}",
                                  escaped(head.group(entry)), entry.ones, facts.ones[i]));
  }
  return {};
}

Result<void> check_payload(const CheckedHead& head, const Source& source, unsigned threads) {
  const std::uint64_t start = head.layout().payload;
  Payload payload;
  payload.size = head.header().payload_size;
  payload.table_count = head.entry_count();
  payload.table = [&](std::size_t i) { return place_of(head.entry(i), start); };
  Payload::ReadPiece read = [&](std::uint64_t offset,
                                std::size_t size) -> Result<std::span<const std::byte>> {
    if (auto fetched = source.fetch(start + offset, size); !fetched) return fetched.error();
    return source.file.subspan(start + offset, size);
  };
  payload.reader = [&] { return read; };
  const auto facts = scan_payload(payload, threads);
  if (!facts) return facts.error();
  return compare(head, payload, *facts, source.name);
}

Error changing(std::string_view name, std::string_view what) {
  return make_error(ErrorCode::kIo, "{}: changes while it is read: {}; try again", name, what);
}

Result<TableBuffer> memory_for(std::uint64_t size, std::uint64_t allowed, std::string_view name) {
  if (size > allowed) {
    return make_error(
        ErrorCode::kResource,
        "{}: loading takes {} bytes of memory, and {} are allowed; allow more, or map "
        "the file instead",
        name, size, allowed);
  }
  try {
    return TableBuffer(size);
  } catch (const std::bad_alloc&) {
    return make_error(ErrorCode::kResource,
                      "{}: there is no memory for its {} bytes; map the file instead", name, size);
  }
}

Result<TableBuffer> copy_of_head(std::span<const std::byte> head, std::uint64_t allowed,
                                 std::string_view name) {
  if (head.size() > allowed) {
    return make_error(ErrorCode::kResource,
                      "{}: opening takes {} bytes of memory for what stands before its tables, and "
                      "{} are allowed; allow more",
                      name, head.size(), allowed);
  }
  TableBuffer copy(head.size());
  std::ranges::copy(head, copy.bytes().begin());
  return copy;
}

Error out_of_memory(std::string_view name) {
  return make_error(ErrorCode::kResource,
                    "{}: there is no memory for what stands before its tables; free some, or open "
                    "it on a machine with more",
                    name);
}

}  // namespace

struct Bank::State {
  std::variant<std::monostate, MappedFile, TableBuffer> owner;
  std::vector<std::byte> names;  // of the groups, where the file's own may change
  std::vector<BankEntry> entries;
  // The hashers of the entries, each once, and which of them an entry has.
  std::vector<Hasher> hashers;
  std::vector<std::size_t> hasher_of;
  TextMap recipe;
  TextMap metadata;
  std::uint64_t file_size = 0;
  Digest digest{};

  // `header` is what check_header() made of the first bytes.
  Result<void> read(const Source& source, const Header& header, const OpenOptions& options);
  // read() for a file whose bytes are all there.
  Result<void> read_present(const Source& source, const OpenOptions& options);
  // `head_names`: the part of the head that has the names.
  Result<void> make_entries(const CheckedHead& head, std::span<const std::byte> head_names,
                            const Source& source, const OpenOptions& options);
  void index_hashers();
};

Result<void> Bank::State::read(const Source& source, const Header& header,
                               const OpenOptions& options) {
  if (auto fetched = source.fetch(0, header.payload_offset); !fetched) return fetched;
  const std::uint64_t used_size = head_layout(header)->extension;
  HeadBytes head_bytes{source.file.first(used_size),
                       source.file.first(header.payload_offset).subspan(used_size)};
  std::optional<TableBuffer> copy;
  if (source.may_change) {
    auto copied = copy_of_head(head_bytes.used, options.max_bytes, source.name);
    if (!copied) return copied.error();
    copy = std::move(*copied);
    head_bytes.used = copy->bytes();
  }
  // What was read now need not be what was read first: somebody may be writing.
  const auto again = check_header(head_bytes.used, source.file.size(), source.name);
  if (!again) return again.error();
  if (again->payload_offset != header.payload_offset ||
      head_layout(*again)->extension != used_size) {
    return changing(source.name, "the head has another size than before");
  }
  const auto head = check_head(*again, head_bytes, source.name, options);
  if (!head) return head.error();
  auto texts = read_texts(*again, head_bytes, source.name);
  if (!texts) return texts.error();
  if (auto checked = check_payload(*head, source, options.threads); !checked) return checked;
  recipe = std::move(texts->recipe);
  metadata = std::move(texts->metadata);
  file_size = source.file.size();
  digest = again->digest;
  auto head_names = head_bytes.used.subspan(head->layout().names, again->names_size);
  if (source.may_change) {
    names.assign(head_names.begin(), head_names.end());
    head_names = names;
  }
  return make_entries(*head, head_names, source, options);
}

Result<void> Bank::State::read_present(const Source& source, const OpenOptions& options) {
  const auto header = check_header(source.file, source.file.size(), source.name);
  if (!header) return header.error();
  return read(source, *header, options);
}

Result<void> Bank::State::make_entries(const CheckedHead& head,
                                       std::span<const std::byte> head_names, const Source& source,
                                       const OpenOptions& options) {
  entries.reserve(head.entry_count());
  SpecReader specs(options);
  for (std::size_t i = 0; i < head.entry_count(); ++i) {
    const EntryRecord record = head.entry(i);
    FilterSpec spec;
    // The head was right in check_head(), so these fail only where a file changes meanwhile.
    if (const auto fault = specs.read(record, head.extra(record), spec)) {
      return changing(source.name, fault->what);
    }
    auto view = FilterView::create(std::move(spec),
                                   source.file.subspan(record.table_offset, record.table_size));
    if (!view) return changing(source.name, view.error().message);
    const auto name =
        head_names.subspan(record.name_offset - head.layout().names, record.name_size);
    entries.emplace_back(std::string_view(reinterpret_cast<const char*>(name.data()), name.size()),
                         std::move(*view), record.count, record.ones);
  }
  index_hashers();
  return {};
}

void Bank::State::index_hashers() {
  std::map<Hasher, std::size_t, HasherOrder> numbers;
  hasher_of.reserve(entries.size());
  for (const BankEntry& entry : entries) {
    const Hasher& hasher = entry.filter().spec().hasher;
    if (!hasher_of.empty() && hashers[hasher_of.back()] == hasher) {
      hasher_of.push_back(hasher_of.back());
      continue;
    }
    const auto [number, is_new] = numbers.try_emplace(hasher, hashers.size());
    if (is_new) hashers.push_back(hasher);
    hasher_of.push_back(number->second);
  }
}

// Whatever memory is lacking below, and wherever: the caller gets an error, not an exception.

Result<Bank> Bank::open(const std::string& path, const OpenOptions& options) try {
  auto mapped = MappedFile::open(path);
  if (!mapped) return mapped.error();
  auto state = std::make_shared<State>();
  const std::string name = printable_path(path);
  Source source{.file = mapped->bytes(), .name = name, .may_change = true};
  if (auto read = state->read_present(source, options); !read) return read.error();
  state->owner = std::move(*mapped);
  return Bank(std::move(state));
} catch (const std::bad_alloc&) {
  return out_of_memory(printable_path(path));
}

Result<Bank> Bank::load(const std::string& path, const OpenOptions& options) try {
  const auto opened = open_to_read(path);
  if (!opened) return opened.error();
  const std::string name = printable_path(path);
  std::array<std::byte, kIdentifyBytes> first{};
  const auto start = std::span(first).first(std::min<std::uint64_t>(first.size(), opened->size));
  if (auto read = read_at(opened->file, 0, start, path); !read) return read.error();
  const auto header = check_header(start, opened->size, name);
  if (!header) return header.error();
  auto buffer = memory_for(opened->size, options.max_bytes, name);
  if (!buffer) return buffer.error();
  auto state = std::make_shared<State>();
  const TableBuffer& memory = state->owner.emplace<TableBuffer>(std::move(*buffer));
  Source source{.file = memory.bytes(), .name = name};
  source.fetch = [&](std::uint64_t offset, std::uint64_t size) {
    return read_at(opened->file, offset, memory.bytes().subspan(offset, size), path);
  };
  if (auto read = state->read(source, *header, options); !read) return read.error();
  return Bank(std::move(state));
} catch (const std::bad_alloc&) {
  return out_of_memory(printable_path(path));
}

Result<Bank> Bank::from_bytes(std::span<const std::byte> bytes, std::string_view name,
                              const OpenOptions& options) try {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kAlignment != 0) {
    return make_error(ErrorCode::kInvalidArgument, "{}: bytes must lie at a multiple of {}", name,
                      kAlignment);
  }
  auto state = std::make_shared<State>();
  const Source source{.file = bytes, .name = name};
  if (auto read = state->read_present(source, options); !read) return read.error();
  return Bank(std::move(state));
} catch (const std::bad_alloc&) {
  return out_of_memory(name);
}

Result<Bank> Bank::from_filters(std::span<const GroupFilter> filters, std::string_view name,
                                const WriteOptions& texts) try {
  auto entries = entries_of(filters);
  if (!entries) return entries.error();
  auto plan = BankPlan::create(std::move(*entries), texts);
  if (!plan) return plan.error();
  auto buffer = memory_for(plan->file_size(), UINT64_MAX, name);
  if (!buffer) return buffer.error();
  auto state = std::make_shared<State>();
  const TableBuffer& memory = state->owner.emplace<TableBuffer>(std::move(*buffer));
  if (auto filled = fill_bank(*plan, filters, memory.bytes(), texts.threads); !filled) {
    return filled.error();
  }
  OpenOptions options;
  options.allow_locked = true;
  options.threads = texts.threads;
  const Source source{.file = memory.bytes(), .name = name};
  if (auto read = state->read_present(source, options); !read) return read.error();
  return Bank(std::move(state));
} catch (const std::bad_alloc&) {
  return out_of_memory(name);
}

std::span<const BankEntry> Bank::entries() const& noexcept {
  return state_->entries;
}

const BankEntry* Bank::find(std::string_view group) const& noexcept {
  const auto found = std::ranges::lower_bound(state_->entries, group, {}, &BankEntry::group);
  return found != state_->entries.end() && found->group() == group ? &*found : nullptr;
}

std::vector<std::size_t> Bank::groups_of(std::string_view key) const {
  std::vector<std::optional<KeyHash>> hashes(state_->hashers.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (!state_->hashers[i].is_locked()) hashes[i] = state_->hashers[i](key);
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < state_->entries.size(); ++i) {
    const FilterView& filter = state_->entries[i].filter();
    const auto& hash = hashes[state_->hasher_of[i]];
    const bool may_contain =
        hash && filter.spec().takes_hashes() ? filter.may_contain(*hash) : filter.may_contain(key);
    if (may_contain) found.push_back(i);
  }
  return found;
}

const TextMap& Bank::recipe() const& noexcept {
  return state_->recipe;
}

const TextMap& Bank::metadata() const& noexcept {
  return state_->metadata;
}

std::uint64_t Bank::file_size() const noexcept {
  return state_->file_size;
}

std::array<std::byte, 16> Bank::digest() const noexcept {
  return state_->digest;
}

}  // namespace bloomery
