#include <algorithm>
#include <cstring>
#include <utility>

#include "bank/bank_plan.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "bloomery/bank.h"

namespace bloomery {
namespace {

// Reads pieces of the payload back from the file, into memory of its own.
Payload::ReadPiece read_back(const AtomicFile& file, std::uint64_t payload_offset) {
  auto buffer = std::make_shared<std::vector<std::byte>>();
  return [&file, payload_offset, buffer](std::uint64_t offset,
                                         std::size_t size) -> Result<std::span<const std::byte>> {
    buffer->resize(size);
    if (auto read = file.read(payload_offset + offset, *buffer); !read) return read.error();
    return std::span<const std::byte>(*buffer);
  };
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
};

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
  return BankWriter(
      std::make_unique<State>(State{std::move(*plan), std::move(*file), options.threads}));
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
  return state_->file.write(state_->plan.table_offset(*found) + offset, bytes);
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
  const AtomicFile& file = state_->file;
  const std::uint64_t payload_offset = state_->plan.payload_offset();
  const auto payload = state_->plan.payload([&] { return read_back(file, payload_offset); });
  const auto facts = scan_payload(payload, state_->threads);
  if (!facts) return facts.error();
  const auto head = state_->plan.make_head(*facts);
  if (!head) {
    return Error{head.error().code, printable_path(file.path()) + ": " + head.error().message};
  }
  if (auto written = state_->file.write(0, *head); !written) return written;
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
