// The second pass of build: hashes to frames, frames to blocks, blocks into the bank file.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "base/error.h"
#include "jobs.h"
#include "merge/merge_parts.h"
#include "partial/encode.h"
#include "partial/task_keys.h"
#include "task_support.h"

namespace nb = nanobind;

namespace bloomery::python {
namespace {

// Frames on their way to the parts of the tables that have their blocks, as rows (part, frame).
class FrameRows {
 public:
  FrameRows(const PyPlan& plan, std::uint32_t parts, const std::string& strategy,
            std::uint32_t task)
      : layout_(plan.plan.groups, parts) {
    options_.task = task;
    const auto found = strategy_from_string(strategy);
    if (!found) {
      throw Failure(make_error(ErrorCode::kInvalidArgument,
                               "strategy \"{}\": must be indexes, filters or auto",
                               escaped(strategy)));
    }
    options_.strategy = *found;
  }

  [[nodiscard]] const PartLayout& layout() const noexcept { return layout_; }
  // Whether frames hold keys in the order in which they are given. Rows may come in another order
  // when a task runs again, and its frames must be the same.
  [[nodiscard]] bool keeps_order() const noexcept {
    return options_.strategy == Strategy::kIndexes;
  }

  [[nodiscard]] nb::list encode(std::span<const GroupKeys> keys) const {
    nb::list rows;
    unwrap(encode_partial(options_, keys,
                          [&](std::span<const std::byte> bytes) { return send(rows, bytes); }));
    return rows;
  }

 private:
  Result<void> send(nb::list& rows, std::span<const std::byte> bytes) const {
    PartialReader reader(bytes, "a partial");
    const auto frame = reader.next();
    if (!frame) return frame.error();
    const auto parts = layout_.parts_of(frame->value());
    if (!parts) return parts.error();
    for (const std::uint32_t part : *parts) rows.append(nb::make_tuple(part, bytes_of(bytes)));
    return {};
  }

  PartLayout layout_;
  EncodeOptions options_;
};

class EncodeTask {
 public:
  EncodeTask(const PyPlan& plan, std::uint32_t parts, const std::string& strategy,
             std::uint32_t task)
      : plan_(plan), frames_(plan_, parts, strategy, task) {}

  // Rows of HashTask: kind, group, payload. Rows of other kinds are left out.
  void read_rows(nb::handle batch) {
    const TakenBatch taken = take_batch(batch);
    const ArrowColumn kinds = column_of(taken, 0);
    const ArrowColumn groups = column_of(taken, 1);
    const ArrowColumn payloads = column_of(taken, 2);
    std::string scratch;
    for (std::size_t i = 0; i < static_cast<std::size_t>(taken.array->length); ++i) {
      if (kinds.number(i) != 1) continue;
      const std::string_view bytes = payloads.text(i, scratch);
      const std::size_t index = unwrap(frames_.layout().index_of(groups.text(i, scratch)));
      // Copied, because Arrow does not align them.
      std::vector<KeyHash> hashes(bytes.size() / sizeof(KeyHash));
      std::memcpy(hashes.data(), bytes.data(), hashes.size() * sizeof(KeyHash));
      hashes_[index].push_back(std::move(hashes));
    }
  }

  // Rows (part, frame).
  nb::list finish() {
    std::vector<std::vector<std::span<const KeyHash>>> pieces;
    pieces.reserve(hashes_.size());
    std::vector<GroupKeys> keys;
    for (auto& [index, vectors] : hashes_) {
      if (frames_.keeps_order()) sort(vectors);
      GroupKeys group;
      group.group = plan_.plan.groups[index].group;
      group.spec = &plan_.plan.groups[index].spec;
      auto& list = pieces.emplace_back();
      for (const auto& hashes : vectors) {
        list.emplace_back(hashes);
        group.count += hashes.size();
      }
      group.hashes = list;
      keys.push_back(group);
    }
    nb::list rows = frames_.encode(keys);
    hashes_.clear();
    return rows;
  }

 private:
  // As one piece.
  static void sort(std::vector<std::vector<KeyHash>>& pieces) {
    std::vector<KeyHash> all;
    for (auto& piece : pieces) {
      all.insert(all.end(), piece.begin(), piece.end());
      std::vector<KeyHash>().swap(piece);
    }
    std::ranges::sort(all);
    pieces.assign(1, {});
    pieces.front().swap(all);
  }

  PyPlan plan_;
  FrameRows frames_;
  std::map<std::size_t, std::vector<std::vector<KeyHash>>> hashes_;
};

// The positions of one group, keys sorted, each a piece.
class SortedKeys {
 public:
  explicit SortedKeys(const GroupKeys& keys) {
    for (const auto piece : keys.positions) {
      positions_.insert(positions_.end(), piece.begin(), piece.end());
    }
    const std::span<const std::uint64_t> all = positions_;
    const std::size_t size = keys.spec->hashes;
    for (std::size_t at = 0; at < all.size(); at += size) pieces_.push_back(all.subspan(at, size));
    std::ranges::sort(pieces_,
                      [](auto a, auto b) { return std::ranges::lexicographical_compare(a, b); });
  }

  [[nodiscard]] std::span<const std::span<const std::uint64_t>> pieces() const noexcept {
    return pieces_;
  }

 private:
  std::vector<std::uint64_t> positions_;
  std::vector<std::span<const std::uint64_t>> pieces_;
};

// Records to frames at once, in a second pass: for filters that start from the key, so that there
// are no hashes to keep from the first.
class PartialTask {
 public:
  PartialTask(const RecipeText& recipe, const PyPlan& plan, std::uint32_t parts,
              const std::string& strategy, std::uint32_t task, const nb::dict& options)
      : plan_(plan),
        frames_(plan_, parts, strategy, task),
        reader_(recipe_of(recipe), read_options(options),
                [this](const KeyBatch& batch) { return take(batch); }) {}

  [[nodiscard]] RecordReader& reader() noexcept { return reader_; }

  // Rows (part, frame).
  nb::list finish() {
    auto keys = keys_.group_keys();
    // Not as they came: that may be another order when the task runs again.
    std::ranges::sort(keys, {}, &GroupKeys::group);
    std::vector<SortedKeys> sorted;
    sorted.reserve(keys.size());
    for (GroupKeys& group : keys) {
      if (frames_.keeps_order()) group.positions = sorted.emplace_back(group).pieces();
    }
    nb::list rows = frames_.encode(keys);
    keys_.forget();
    return rows;
  }

 private:
  // A group whose records were all rejected has a name here and no place in the plan.
  Result<void> take(const KeyBatch& batch) {
    places_.resize(reader_.groups().size());
    groups_.assign(batch.groups.begin(), batch.groups.end());
    for (std::uint32_t& group : groups_) {
      std::optional<std::uint32_t>& place = places_[group];
      if (!place) {
        const auto index = frames_.layout().index_of(reader_.groups().name(group));
        if (!index) return index.error();
        place = static_cast<std::uint32_t>(keys_.group_count());
        keys_.add_group(plan_.plan.groups[*index].group, plan_.plan.groups[*index].spec);
      }
      group = *place;
    }
    keys_.add(batch.keys, groups_);
    return {};
  }

  PyPlan plan_;
  FrameRows frames_;
  TaskKeys keys_;
  std::vector<std::optional<std::uint32_t>> places_;  // in keys_, of the reader's groups
  std::vector<std::uint32_t> groups_;
  RecordReader reader_;
};

class MergeTask {
 public:
  MergeTask(const PyPlan& plan, std::uint32_t parts)
      : plan_(plan), layout_(plan_.plan.groups, parts) {}

  // Rows (part, frame).
  void read_rows(nb::handle batch) {
    const TakenBatch taken = take_batch(batch);
    const nb::gil_scoped_release released;
    const ArrowColumn parts = column_of(taken, 0);
    const ArrowColumn frames = column_of(taken, 1);
    std::string scratch;
    for (std::size_t i = 0; i < static_cast<std::size_t>(taken.array->length); ++i) {
      const auto part = static_cast<std::uint32_t>(parts.number(i));
      const auto [merger, is_new] = mergers_.try_emplace(part, layout_, part);
      const std::string_view frame = frames.text(i, scratch);
      unwrap(merger->second.add(std::as_bytes(std::span(frame.data(), frame.size()))));
    }
  }

  // Rows (group, offset, bytes): blocks, and receipts under group -1.
  nb::list finish() {
    nb::list rows;
    for (auto& [part, merger] : mergers_) {
      unwrap(
          merger.finish([&](std::size_t group, std::uint64_t offset, auto bytes) -> Result<void> {
            rows.append(nb::make_tuple(group, offset, bytes_of(bytes)));
            return {};
          }));
      rows.append(nb::make_tuple(-1, 0, bytes_of(merger.receipt().to_json())));
    }
    mergers_.clear();
    return rows;
  }

 private:
  PyPlan plan_;
  PartLayout layout_;
  std::map<std::uint32_t, PartMerger> mergers_;
};

// The bank file on the driver: takes blocks one at a time.
class BankSink {
 public:
  BankSink(const fs::path& path, const PyPlan& plan, bool overwrite, const TextMap& metadata)
      : plan_(plan), writer_(create(path.string(), plan, overwrite, metadata)) {}

  void write(std::int64_t group, std::uint64_t offset, const nb::bytes& bytes) {
    if (group < 0) {
      unwrap(receipt_.merge(unwrap(Receipt::from_json(view_of(bytes)))));
      return;
    }
    unwrap(writer_.write(plan_.plan.groups.at(static_cast<std::size_t>(group)).group, offset,
                         span_of(bytes)));
  }

  // Fails unless all partials of these tasks are in, with the records that were counted. None: of a
  // second reading, which Spark may have cut into other tasks than the first.
  std::uint64_t commit(std::optional<std::uint64_t> tasks) {
    const auto keys =
        unwrap(receipt_.settle(plan_.plan.groups, tasks.value_or(receipt_.task_count())));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const GroupPlan& group = plan_.plan.groups[i];
      if (keys[i] != group.records) {
        throw Failure(make_error(ErrorCode::kMismatch,
                                 "group \"{}\": {} records were counted and {} arrived; do not "
                                 "change the input meanwhile, and build again",
                                 escaped(group.group), group.records, keys[i]));
      }
    }
    const nb::gil_scoped_release released;
    unwrap(writer_.commit());
    return receipt_.bytes();
  }

 private:
  static BankWriter create(const std::string& path, const PyPlan& plan, bool overwrite,
                           const TextMap& metadata) {
    std::vector<BankWriter::Entry> entries;
    for (const GroupPlan& group : plan.plan.groups) {
      entries.push_back({group.group, group.spec, group.records});
    }
    WriteOptions options;
    options.recipe = plan.plan.recipe;
    options.metadata = metadata;
    options.overwrite = overwrite;
    return unwrap(BankWriter::create(path, std::move(entries), options));
  }

  PyPlan plan_;
  BankWriter writer_;
  Receipt receipt_;
};

}  // namespace

void bind_build_tasks(nb::module_& module) {
  nb::class_<EncodeTask>(module, "EncodeTask")
      .def(nb::init<const PyPlan&, std::uint32_t, const std::string&, std::uint32_t>(),
           nb::arg("plan"), nb::arg("parts"), nb::arg("strategy"), nb::arg("task"))
      .def("read_rows", &EncodeTask::read_rows, nb::arg("batch"))
      .def("finish", &EncodeTask::finish);
  nb::class_<PartialTask> partial(module, "PartialTask");
  partial
      .def(nb::init<const RecipeText&, const PyPlan&, std::uint32_t, const std::string&,
                    std::uint32_t, const nb::dict&>(),
           nb::arg("recipe"), nb::arg("plan"), nb::arg("parts"), nb::arg("strategy"),
           nb::arg("task"), nb::arg("options"))
      .def("finish", &PartialTask::finish);
  bind_reading(partial);
  nb::class_<MergeTask>(module, "MergeTask")
      .def(nb::init<const PyPlan&, std::uint32_t>(), nb::arg("plan"), nb::arg("parts"))
      .def("read_rows", &MergeTask::read_rows, nb::arg("batch"))
      .def("finish", &MergeTask::finish);
  nb::class_<BankSink>(module, "BankSink")
      .def(nb::init<const fs::path&, const PyPlan&, bool, const TextMap&>(), nb::arg("path"),
           nb::arg("plan"), nb::arg("overwrite"), nb::arg("metadata"))
      .def("write", &BankSink::write, nb::arg("group"), nb::arg("offset"), nb::arg("bytes"))
      .def("commit", &BankSink::commit, nb::arg("tasks").none());
}

}  // namespace bloomery::python
