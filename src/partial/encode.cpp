#include "partial/encode.h"

#include "base/error.h"
#include "filter/cells.h"
#include "filter/table_ops.h"
#include "partial/auto_encoder.h"
#include "partial/blocks.h"
#include "partial/index_encoder.h"

namespace bloomery {
namespace {

// Ships the frames of one task and keeps what its trailer must say.
class TaskWriter {
 public:
  TaskWriter(std::uint32_t task, const FrameSink& sink) : task_(task), sink_(&sink) {}

  void start_group(const GroupKeys& keys) {
    groups_.push_back({std::string(keys.group), keys.count, 0, 0, spec_check(*keys.spec)});
  }

  // The block of the group that was started last.
  Result<void> ship(Encoding encoding, std::uint32_t block, std::span<const std::byte> payload) {
    if (facts_.frames == UINT32_MAX) {
      return make_error(ErrorCode::kUnsupported,
                        "task {}: more than 2^32 - 1 frames; use more tasks", task_);
    }
    TrailerGroup& group = groups_.back();
    group.checksums +=
        write_frame({task_, facts_.frames, encoding, block, group.group, payload, 0}, bytes_);
    ++group.frames;
    ++facts_.frames;
    return send(bytes_);
  }

  Result<void> finish() {
    const auto trailer = write_trailer(task_, facts_.frames, groups_);
    if (!trailer) return trailer.error();
    return send(*trailer);
  }

  [[nodiscard]] PartialFacts& facts() { return facts_; }

 private:
  Result<void> send(std::span<const std::byte> bytes) {
    facts_.bytes += bytes.size();
    return (*sink_)(bytes);
  }

  std::uint32_t task_;
  const FrameSink* sink_;
  std::vector<TrailerGroup> groups_;
  std::vector<std::byte> bytes_;
  PartialFacts facts_;
};

Result<void> check(std::uint32_t task, const GroupKeys& keys) {
  if (keys.group.empty() || keys.group.size() > UINT16_MAX) {
    return make_error(ErrorCode::kInvalidArgument,
                      "task {}: a group of {} bytes; groups have 1 to 65,535", task,
                      keys.group.size());
  }
  const bool has_wrong_form =
      keys.spec->takes_hashes() ? !keys.positions.empty() : !keys.hashes.empty();
  if (has_wrong_form) {
    return make_error(ErrorCode::kInvalidArgument, "task {}, group '{}': its filter takes {}", task,
                      escaped(keys.group), keys.spec->takes_hashes() ? "hashes" : "positions");
  }
  return {};
}

std::uint64_t weigh_filters(const GroupKeys& keys) {
  const TableBlocks blocks(*keys.spec);
  return blocks.count() * frame_bytes(keys.group, 0) +
         table_bytes(keys.spec->kind, keys.spec->bits);
}

Result<void> encode_group(const EncodeOptions& options, const GroupKeys& keys, GroupBytes& facts,
                          const EmitBlock& emit) {
  const auto emit_if = [&](Strategy strategy) {
    return options.strategy == strategy ? emit : EmitBlock();
  };
  const auto is_wanted = [&](Strategy strategy) {
    return options.weigh_all || options.strategy == strategy;
  };
  if (is_wanted(Strategy::kIndexes)) {
    if (auto done = encode_indexes(keys, facts, emit_if(Strategy::kIndexes)); !done) return done;
  }
  if (is_wanted(Strategy::kFilters)) facts.filters = weigh_filters(keys);
  if (options.strategy == Strategy::kIndexes && !options.weigh_all) return {};

  const auto filter = filter_of(keys);
  if (!filter) return filter.error();
  if (options.strategy == Strategy::kFilters) {
    if (auto done = encode_filters(*filter, emit); !done) return done;
  }
  if (is_wanted(Strategy::kAuto)) {
    return encode_auto(keys, *filter, facts, emit_if(Strategy::kAuto));
  }
  return {};
}

}  // namespace

Result<void> encode_filters(const FilterView& filter, const EmitBlock& emit) {
  const TableBlocks blocks(filter.spec());
  for (std::uint32_t block = 0; block < blocks.count(); ++block) {
    const auto bytes = filter.table().subspan(TableBlocks::first_byte(block), blocks.bytes(block));
    if (auto sent = emit(Encoding::kRaw, block, bytes); !sent) return sent;
  }
  return {};
}

Result<Filter> filter_of(const GroupKeys& keys) {
  auto filter = Filter::create(*keys.spec);
  if (!filter) return filter;
  for (const auto piece : keys.hashes) filter->insert(piece);
  const Cells cells{keys.spec->kind, as_words(filter->mutable_table()).data(), keys.spec->bits,
                    keys.spec->hashes};
  for (const auto piece : keys.positions) insert_positions(cells, piece);
  return filter;
}

Result<PartialFacts> encode_partial(const EncodeOptions& options, std::span<const GroupKeys> groups,
                                    const FrameSink& sink) {
  TaskWriter writer(options.task, sink);
  const EmitBlock emit = [&](Encoding encoding, std::uint32_t block, auto payload) {
    return writer.ship(encoding, block, payload);
  };
  for (const GroupKeys& keys : groups) {
    if (auto valid = check(options.task, keys); !valid) return valid.error();
    writer.start_group(keys);
    GroupBytes facts{.group = std::string(keys.group)};
    if (auto done = encode_group(options, keys, facts, emit); !done) return done.error();
    writer.facts().groups.push_back(std::move(facts));
  }
  if (auto done = writer.finish(); !done) return done.error();
  return std::move(writer.facts());
}

}  // namespace bloomery
