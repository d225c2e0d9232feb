#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "engines/hadoop/block_routes.h"
#include "engines/hadoop/bytes.h"
#include "engines/hadoop/group_weight.h"
#include "engines/hadoop/map_work.h"
#include "partial/auto_encoder.h"
#include "partial/blocks.h"
#include "partial/encode.h"
#include "partial/hash_pieces.h"

namespace bloomery::hadoop {
namespace {

// Keeps the hashes of its keys until they fill the memory or the input ends, and ships them as a
// partial. Filters that take no hashes are filled as keys come and shipped at the end.
class BuildWork : public TaskWork {
 public:
  BuildWork(const WorkerJob& job, TaskOutput& output)
      : job_(&job), output_(&output), routes_(job.plan, job.strategy, output.receivers()) {
    std::uint64_t tables = 0;
    for (const GroupPlan& group : job.plan) {
      tables = std::max(tables, table_bytes(group.spec.kind, group.spec.bits));
    }
    // Tables and what encodes them come out of the same memory.
    hash_memory_ = job.memory > 4 * tables ? (job.memory - 2 * tables) / 2 : job.memory / 4;
  }

  Result<void> take(const KeyBatch& batch, const GroupTable& names) override {
    if (auto known = learn_groups(names); !known) return known;
    const FilterSpec& spec = job_->plan.front().spec;
    if (!spec.takes_hashes()) return insert_keys(batch);
    spec.hasher.hash_all(batch.keys, batch_hashes_);
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      TaskGroup& group = groups_[batch.groups[i]];
      held_ += group.hashes.push(batch_hashes_[i]);
      ++group.count;
    }
    return held_ > hash_memory_ ? ship_hashes() : Result<void>();
  }

  Result<void> finish() override {
    if (auto done = ship_hashes(); !done) return done;
    if (auto done = ship_filters(); !done) return done;
    for (TaskGroup& group : groups_) {
      if (group.shipped == 0) continue;
      ByteWriter payload;
      payload.number(group.shipped);
      if (auto done = send(Subject::kCount, group.place, payload.take()); !done) return done;
      if (job_->strategy != Strategy::kAuto) continue;
      group.weight.group = job_->plan[group.place].group;
      if (auto done = send(Subject::kWeight, group.place, encode(group.weight)); !done) return done;
    }
    return {};
  }

 private:
  struct TaskGroup {
    std::size_t place = 0;  // in the plan
    HashPieces hashes;
    std::optional<Filter> filter;  // instead of hashes
    std::uint64_t count = 0;       // keys that have not been shipped
    std::uint64_t shipped = 0;
    GroupBytes weight;
  };

  Result<void> learn_groups(const GroupTable& names) {
    for (std::size_t i = groups_.size(); i < names.size(); ++i) {
      const std::string& name = names.name(static_cast<std::uint32_t>(i));
      const auto found = std::ranges::lower_bound(job_->plan, name, {}, &GroupPlan::group);
      if (found == job_->plan.end() || found->group != name) {
        return make_error(ErrorCode::kMismatch,
                          "group \"{}\" is in the data and not in the plan; plan them together",
                          escaped(name));
      }
      groups_.emplace_back().place = static_cast<std::size_t>(found - job_->plan.begin());
    }
    return {};
  }

  Result<void> insert_keys(const KeyBatch& batch) {
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      TaskGroup& group = groups_[batch.groups[i]];
      if (!group.filter) {
        auto filter = Filter::create(job_->plan[group.place].spec);
        if (!filter) return filter.error();
        group.filter = *std::move(filter);
      }
      group.filter->insert(batch.keys[i]);
      ++group.count;
    }
    return {};
  }

  Result<void> ship_hashes() {
    EncodeOptions options;
    options.task = output_->task();
    options.strategy = job_->strategy;
    options.weigh_all = job_->strategy == Strategy::kAuto;
    for (TaskGroup& group : groups_) {
      if (group.count == 0 || group.filter) continue;
      std::vector<std::span<const KeyHash>> pieces;
      group.hashes.append_to(pieces);
      const GroupPlan& plan = job_->plan[group.place];
      GroupKeys keys;
      keys.group = plan.group;
      keys.spec = &plan.spec;
      keys.hashes = pieces;
      keys.count = group.count;
      const auto facts = encode_partial(options, std::span(&keys, 1),
                                        [&](auto frame) { return ship_frame(group, frame); });
      if (!facts) return facts.error();
      group.weight.add(facts->groups.front());
      group.shipped += std::exchange(group.count, 0);
      group.hashes.clear();
    }
    held_ = 0;
    return {};
  }

  Result<void> ship_filters() {
    for (TaskGroup& group : groups_) {
      if (!group.filter) continue;
      const GroupPlan& plan = job_->plan[group.place];
      GroupKeys keys;
      keys.group = plan.group;
      keys.spec = &plan.spec;
      keys.count = group.count;
      const EmitBlock emit = [&](Encoding encoding, std::uint32_t block, auto payload) {
        write_frame({output_->task(), 0, encoding, block, plan.group, payload, 0}, frame_);
        return ship_frame(group, frame_);
      };
      auto done = job_->strategy == Strategy::kAuto
                      ? encode_auto(keys, *group.filter, group.weight, emit)
                      : encode_filters(*group.filter, emit);
      if (!done) return done;
      group.shipped += std::exchange(group.count, 0);
    }
    return {};
  }

  Result<void> ship_frame(const TaskGroup& group, std::span<const std::byte> bytes) {
    PartialReader reader(bytes, "a partial");
    const auto frame = reader.next();
    if (!frame) return frame.error();
    // Trailers of partials speak of all reducers together; trailers.h speaks of each.
    if ((*frame)->encoding == Encoding::kTrailer) return {};
    const std::uint32_t block = routes_.is_whole(group.place) ? 0 : (*frame)->block;
    // A table of one block is one block, in hashes too.
    return send(Subject::kBlock, group.place, as_text(bytes), block == kWholeTable ? 0 : block);
  }

  Result<void> send(Subject subject, std::size_t place, std::string_view payload,
                    std::uint32_t block = 0) {
    std::string detail;
    append_be(detail, static_cast<std::uint32_t>(place));
    append_be(detail, block);
    return output_->put(subject, detail, routes_.reducer_of(place, block), payload);
  }

  const WorkerJob* job_;
  TaskOutput* output_;
  BlockRoutes routes_;
  std::uint64_t hash_memory_ = 0;
  std::vector<TaskGroup> groups_;
  std::array<KeyHash, KeyReader::kBatchKeys> batch_hashes_{};
  std::uint64_t held_ = 0;
  std::vector<std::byte> frame_;
};

}  // namespace

std::unique_ptr<TaskWork> build_work(const WorkerJob& job, TaskOutput& output) {
  return std::make_unique<BuildWork>(job, output);
}

}  // namespace bloomery::hadoop
