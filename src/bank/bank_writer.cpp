#include <algorithm>
#include <atomic>
#include <utility>

#include "bank/bank_plan.h"
#include "bank/table_sum.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "bloomery/bank.h"

namespace bloomery {
namespace {

Error lost(const AtomicFile& file, std::string_view where) {
  return make_error(
      ErrorCode::kIo,
      "{}: {}: what is read back is not what was written; the disk or its file system has lost "
      "it, or bytes were written twice; write it again, to another disk if it happens again",
      printable_path(file.path()), where);
}

}  // namespace

Result<std::vector<BankWriter::Entry>> entries_of(std::span<const GroupFilter> filters) {
  std::vector<BankWriter::Entry> entries;
  entries.reserve(filters.size());
  for (const GroupFilter& each : filters) {
    if (each.filter == nullptr) {
      return make_error(ErrorCode::kInvalidArgument, "group \"{}\": has no filter",
                        escaped(each.group));
    }
    entries.push_back({std::string(each.group), each.filter->spec(), each.count});
  }
  return entries;
}

struct BankWriter::State {
  BankPlan plan;
  AtomicFile file;
  unsigned threads = 0;
  std::vector<std::uint64_t> sums;  // table_sum() of what was written to each table

  [[nodiscard]] Result<PayloadFacts> read_back() const;
  Result<void> write_head(std::span<const std::byte> head);
};

// What the head says of the tables comes from the file, as a reader will see it. That this is also
// what was given, the sums tell.
Result<PayloadFacts> BankWriter::State::read_back() const {
  std::vector<std::uint64_t> found(sums.size());
  Payload payload = plan.payload({});
  const auto add = [&](std::size_t i, const TablePlace& table, std::uint64_t at,
                       std::span<const std::byte> part) {
    const std::uint64_t in_table = table.size > at ? table.size - at : 0;
    const auto sum = table_sum(at, part.first(std::min<std::uint64_t>(in_table, part.size())));
    std::atomic_ref(found[i]).fetch_add(sum, std::memory_order_relaxed);
  };
  payload.reader = [&]() -> Payload::ReadPiece {
    auto buffer = std::make_shared<std::vector<std::byte>>();
    return
        [&, buffer](std::uint64_t offset, std::size_t size) -> Result<std::span<const std::byte>> {
          buffer->resize(size);
          if (auto read = file.read(plan.payload_offset() + offset, *buffer); !read) {
            return read.error();
          }
          for_each_table(payload, offset, *buffer, add);
          return std::span<const std::byte>(*buffer);
        };
  };
  auto facts = scan_payload(payload, threads);
  if (!facts) return facts;
  const auto [first, there] = std::ranges::mismatch(sums, found);
  if (first == sums.end()) return facts;
  const auto i = static_cast<std::size_t>(first - sums.begin());
  return lost(file, fmt::format("group \"{}\"", escaped(plan.entries()[i].group)));
}

Result<void> BankWriter::State::write_head(std::span<const std::byte> head) {
  if (auto written = file.write(0, head); !written) return written;
  std::vector<std::byte> back(head.size());
  if (auto read = file.read(0, back); !read) return read;
  if (!std::ranges::equal(back, head)) return lost(file, "its head");
  return {};
}

BankWriter::BankWriter(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
BankWriter::BankWriter(BankWriter&&) noexcept = default;
BankWriter& BankWriter::operator=(BankWriter&&) noexcept = default;
BankWriter::~BankWriter() = default;

Result<BankWriter> BankWriter::create(const std::string& path, std::vector<Entry> entries,
                                      const WriteOptions& options) {
  auto plan = BankPlan::create(std::move(entries), options);
  if (!plan) {
    return Error{plan.error().code, printable_path(path) + ": " + plan.error().message};
  }
  auto file = AtomicFile::create(path, options.overwrite);
  if (!file) return file.error();
  if (auto resized = file->resize(plan->file_size()); !resized) return resized.error();
  std::vector<std::uint64_t> sums(plan->entries().size());
  return BankWriter(std::make_unique<State>(
      State{std::move(*plan), std::move(*file), options.threads, std::move(sums)}));
}

Result<void> BankWriter::write(std::string_view group, std::uint64_t offset,
                               std::span<const std::byte> bytes) {
  const auto found = state_->plan.find(group);
  if (!found) {
    return make_error(ErrorCode::kNotFound, "{}: no group \"{}\"",
                      printable_path(state_->file.path()), escaped(group));
  }
  const std::uint64_t size = state_->plan.table_size(*found);
  if (offset > size || bytes.size() > size - offset) {
    return make_error(
        ErrorCode::kInvalidArgument, "{}: group \"{}\": {} bytes at {} do not fit its table of {}",
        printable_path(state_->file.path()), escaped(group), bytes.size(), offset, size);
  }
  if (auto written = state_->file.write(state_->plan.table_offset(*found) + offset, bytes);
      !written) {
    return written;
  }
  std::atomic_ref(state_->sums[*found])
      .fetch_add(table_sum(offset, bytes), std::memory_order_relaxed);
  return {};
}

Result<void> BankWriter::set_count(std::string_view group, std::uint64_t count) {
  const auto found = state_->plan.find(group);
  if (!found) {
    return make_error(ErrorCode::kNotFound, "{}: no group \"{}\"",
                      printable_path(state_->file.path()), escaped(group));
  }
  state_->plan.set_count(*found, count);
  return {};
}

Result<void> BankWriter::commit() {
  const auto facts = state_->read_back();
  if (!facts) return facts.error();
  const auto head = state_->plan.make_head(*facts);
  if (!head) {
    return Error{head.error().code,
                 printable_path(state_->file.path()) + ": " + head.error().message};
  }
  if (auto written = state_->write_head(*head); !written) return written;
  return state_->file.commit();
}

std::uint64_t BankWriter::file_size() const noexcept {
  return state_->plan.file_size();
}

Result<void> write_bank(const std::string& path, std::span<const GroupFilter> filters,
                        const WriteOptions& options) {
  auto entries = entries_of(filters);
  if (!entries) return entries.error();
  auto writer = BankWriter::create(path, std::move(*entries), options);
  if (!writer) return writer.error();
  for (const GroupFilter& each : filters) {
    if (auto written = writer->write(each.group, 0, each.filter->table()); !written) return written;
  }
  return writer->commit();
}

Result<void> fill_bank(BankPlan& plan, std::span<const GroupFilter> filters,
                       std::span<std::byte> bytes, unsigned threads) {
  for (const GroupFilter& each : filters) {
    const std::uint64_t offset = plan.table_offset(*plan.find(each.group));
    std::ranges::copy(each.filter->table(), bytes.subspan(offset).begin());
  }
  const auto in_memory = std::span<const std::byte>(bytes).subspan(plan.payload_offset());
  Payload::ReadPiece read = [in_memory](std::uint64_t offset,
                                        std::size_t size) -> Result<std::span<const std::byte>> {
    return in_memory.subspan(offset, size);
  };
  const auto facts = scan_payload(plan.payload([&] { return read; }), threads);
  if (!facts) return facts.error();
  const auto head = plan.make_head(*facts);
  if (!head) return head.error();
  std::ranges::copy(*head, bytes.begin());
  return {};
}

Result<std::vector<std::byte>> bank_bytes(std::span<const GroupFilter> filters,
                                          const WriteOptions& options) {
  auto entries = entries_of(filters);
  if (!entries) return entries.error();
  auto plan = BankPlan::create(std::move(*entries), options);
  if (!plan) return plan.error();
  std::vector<std::byte> bytes(plan->file_size());
  if (auto filled = fill_bank(*plan, filters, bytes, options.threads); !filled) {
    return filled.error();
  }
  return bytes;
}

}  // namespace bloomery
