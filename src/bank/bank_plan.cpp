#include "bank/bank_plan.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "bank/entry_spec.h"
#include "bank/texts.h"
#include "base/checked.h"
#include "base/endian.h"
#include "base/error.h"

namespace bloomery {
namespace {

Error bad_group(std::string_view group, std::string_view what) {
  return make_error(ErrorCode::kInvalidArgument, "group \"{}\": {}", escaped(group), what);
}

void copy_to(std::span<std::byte> head, std::uint64_t offset, const void* from, std::size_t size) {
  if (size != 0) std::memcpy(head.subspan(offset, size).data(), from, size);
}

}  // namespace

Result<BankPlan> BankPlan::create(std::vector<BankWriter::Entry> entries,
                                  const WriteOptions& options) {
  BankPlan plan;
  plan.entries_ = std::move(entries);
  if (auto sorted = plan.sort_entries(); !sorted) return sorted.error();
  auto recipe = encode_texts(options.recipe);
  if (!recipe) return recipe.error();
  auto metadata = encode_texts(options.metadata);
  if (!metadata) return metadata.error();
  plan.recipe_ = std::move(*recipe);
  plan.metadata_ = std::move(*metadata);
  if (auto laid_out = plan.lay_out(); !laid_out) return laid_out.error();
  return plan;
}

Result<void> BankPlan::sort_entries() {
  std::ranges::sort(entries_, {}, &BankWriter::Entry::group);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& [group, spec, count] = entries_[i];
    if (group.empty() || group.size() > kMaxGroupBytes) {
      return bad_group(
          group, fmt::format("has {} bytes; a group has 1 to {}", group.size(), kMaxGroupBytes));
    }
    if (i > 0 && group == entries_[i - 1].group) {
      return bad_group(group, "is there twice; merge its filters first");
    }
    if (const auto valid = validate(spec); !valid) return bad_group(group, valid.error().message);
  }
  return {};
}

// Sizes first, then the places that follow from them.
Result<void> BankPlan::lay_out() {
  header_.entry_count = entries_.size();
  header_.recipe_size = recipe_.size();
  header_.metadata_size = metadata_.size();
  CheckedSize payload(0);
  for (const auto& [group, spec, count] : entries_) {
    records_.push_back(record_of(spec, count));
    records_.back().name_size = static_cast<std::uint32_t>(group.size());
    header_.names_size += group.size();
    header_.extras_size += records_.back().extra_size;
    payload += padded_table_size(records_.back().table_size);
  }
  header_.payload_size = payload.value();
  const auto layout = head_layout(header_);
  if (layout) payload += layout->payload;
  if (!layout || !payload.is_valid()) {
    return make_error(ErrorCode::kInvalidArgument, "the tables take more than 2^64 bytes together");
  }
  layout_ = *layout;
  header_.payload_offset = layout_.payload;
  header_.file_size = payload.value();

  EntryPlacer placer(layout_);
  for (EntryRecord& record : records_) {
    const auto place = placer.place(record.name_size, record.extra_size, record.table_size);
    record.name_offset = place.name;
    record.extra_offset = place.extra;
    record.table_offset = place.table;
  }
  return {};
}

std::optional<std::size_t> BankPlan::find(std::string_view group) const noexcept {
  const auto found = std::ranges::lower_bound(entries_, group, {}, &BankWriter::Entry::group);
  if (found == entries_.end() || found->group != group) return std::nullopt;
  return static_cast<std::size_t>(found - entries_.begin());
}

Payload BankPlan::payload(std::function<Payload::ReadPiece()> reader) const {
  Payload payload;
  payload.size = header_.payload_size;
  payload.table_count = records_.size();
  payload.table = [this](std::size_t i) {
    return table_place(entries_[i].spec.kind, records_[i].m,
                       records_[i].table_offset - layout_.payload);
  };
  payload.reader = std::move(reader);
  return payload;
}

Result<std::vector<std::byte>> BankPlan::make_head(const PayloadFacts& facts) {
  if (facts.dirty) {
    return bad_group(entries_[*facts.dirty].group, "bits are set past the end of its table");
  }
  std::vector<std::byte> head(layout_.payload);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& [group, spec, planned_count] = entries_[i];
    EntryRecord& record = records_[i];
    record.ones = facts.ones[i];
    if (const auto what = count_fault(spec, record.count, record.ones); !what.empty()) {
      return bad_group(group, what + "; give the number of keys that were inserted");
    }
    encode_entry(record,
                 std::span(head).subspan(layout_.entries + i * kEntryBytes).first<kEntryBytes>());
    copy_to(head, record.name_offset, group.data(), group.size());
    copy_to(head, record.extra_offset, spec.seeds.data(), record.extra_size);
  }
  copy_to(head, layout_.checksums, facts.checksums.data(),
          facts.checksums.size() * sizeof(std::uint64_t));
  copy_to(head, layout_.recipe, recipe_.data(), recipe_.size());
  copy_to(head, layout_.metadata, metadata_.data(), metadata_.size());
  const auto header_bytes = std::span(head).first<kHeaderBytes>();
  encode_header(header_, header_bytes);
  header_.digest = digest_of_head(head);
  encode_header(header_, header_bytes);
  return head;
}

}  // namespace bloomery
