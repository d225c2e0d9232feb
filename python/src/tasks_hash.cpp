// The first pass of plan and build: records to counts and hashes; counts to a plan.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>

#include "base/error.h"
#include "engines/check_tally.h"
#include "jobs.h"
#include "keys.h"
#include "partial/hash_pieces.h"
#include "plan/task_counts.h"
#include "spec_args.h"
#include "task_support.h"

namespace nb = nanobind;

namespace bloomery::python {
namespace {

constexpr std::size_t kRowHashes = std::size_t{1} << 17U;  // 1 MiB

// The kinds of rows that a task gives.
enum class HashRow : std::uint8_t { kCounts = 0, kHashes = 1, kReject = 2 };

class HashTask {
 public:
  HashTask(const RecipeText& recipe, const Hasher& hasher, const nb::dict& options)
      : hasher_(hasher) {
    take_option(options, "needs_hashes", needs_hashes_);
    take_option(options, "distinct", counts_distinct_);
    ReadOptions read = read_options(options);
    rejects_.listen(options, read);
    reader_ = std::make_unique<RecordReader>(recipe_of(recipe), read,
                                             [this](const KeyBatch& batch) { return take(batch); });
  }

  [[nodiscard]] RecordReader& reader() noexcept { return *reader_; }

  // Rows (kind, group, payload): hashes group by group, rejected records, and counts.
  nb::list finish() {
    nb::list rows;
    TaskCounts counts;
    counts.tally() = reader_->tally();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const Group& group = groups_[i];
      // A group whose records were all rejected for another reason has a name and no record.
      if (group.records == 0) continue;
      const std::string& name = reader_->groups().name(static_cast<std::uint32_t>(i));
      counts.add(name, group.records, group.distinct);
      add_hashes(rows, name, group.hashes);
    }
    for (const std::string& line : rejects_.lines()) {
      add(rows, HashRow::kReject, "", bytes_of(line));
    }
    add(rows, HashRow::kCounts, "", bytes_of(counts.to_json()));
    groups_.clear();
    return rows;
  }

 private:
  static void add(nb::list& rows, HashRow kind, std::string_view group, const nb::bytes& payload) {
    rows.append(nb::make_tuple(static_cast<int>(kind), bytes_of(group), payload));
  }

  static void add_hashes(nb::list& rows, std::string_view name, const HashPieces& hashes) {
    std::vector<std::span<const KeyHash>> pieces;
    hashes.append_to(pieces);
    std::vector<KeyHash> row;
    row.reserve(std::min(kRowHashes, hashes.size()));
    const auto flush = [&] {
      if (!row.empty()) {
        add(rows, HashRow::kHashes, name, bytes_of(std::as_bytes(std::span(row))));
      }
      row.clear();
    };
    for (const auto piece : pieces) {
      if (row.size() + piece.size() > kRowHashes) flush();
      row.insert(row.end(), piece.begin(), piece.end());
    }
    flush();
  }

  Result<void> take(const KeyBatch& batch) {
    groups_.resize(reader_->groups().size());
    const bool hashes_keys = needs_hashes_ || counts_distinct_;
    if (hashes_keys) hasher_.hash_all(batch.keys, hashes_);
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      Group& group = groups_[batch.groups[i]];
      ++group.records;
      if (needs_hashes_) group.hashes.push(hashes_[i]);
      if (counts_distinct_) group.distinct.insert(hashes_[i]);
    }
    return {};
  }

  struct Group {
    std::uint64_t records = 0;
    HashPieces hashes;
    DistinctCounter distinct;
  };

  Hasher hasher_;
  bool needs_hashes_ = true;
  bool counts_distinct_ = false;
  std::vector<Group> groups_;
  std::array<KeyHash, KeyReader::kBatchKeys> hashes_{};
  RejectLines rejects_;
  std::unique_ptr<RecordReader> reader_;
};

// The counts of all tasks, where the plan is made.
class Counts {
 public:
  void add(const nb::bytes& json) {
    unwrap(counts_.merge(unwrap(TaskCounts::from_json(view_of(json)))));
    ++tasks_;
  }

  // Fails when there are more groups or more bad records than allowed, or none was used.
  void check(const InputNames& inputs, bool strict, bool lenient, double max_bad,
             std::uint64_t max_groups) const {
    unwrap(check_group_count(counts_.counts(false).size(), max_groups));
    unwrap(check_tally(counts_.tally(), {strict, lenient, max_bad, false, std::nullopt},
                       names_of(inputs)));
  }

  [[nodiscard]] PyPlan plan(const RecipeText& recipe, const FilterArgs& args, bool distinct) const {
    return {{unwrap(plan_groups(counts_.counts(distinct), sizing_of(args))),
             to_text(recipe_of(recipe))},
            "{}",
            secret_of(args.secret)};
  }

  // Those groups of a plan that have records. Fails for a group that the plan does not have.
  [[nodiscard]] PyPlan restrict(const PyPlan& plan, const RecipeText& recipe) const {
    PyPlan some{{{}, to_text(recipe_of(recipe))}, "{}", plan.secret};
    auto next = plan.plan.groups.begin();
    for (const GroupCount& count : counts_.counts(false)) {
      while (next != plan.plan.groups.end() && next->group < count.group) ++next;
      if (next == plan.plan.groups.end() || next->group != count.group) {
        throw Failure(make_error(ErrorCode::kInvalidArgument,
                                 "group \"{}\" is not in the plan; plan from data that has it",
                                 escaped(count.group)));
      }
      some.plan.groups.push_back({next->group, next->spec, count.records});
    }
    return some;
  }

  [[nodiscard]] std::string facts(const std::vector<InputFacts>& inputs) const {
    JobFacts facts;
    facts.inputs = inputs;
    facts.tally = counts_.tally();
    facts.tasks = tasks_;
    return facts_text(facts);
  }
  [[nodiscard]] std::uint64_t tasks() const noexcept { return tasks_; }

 private:
  TaskCounts counts_;
  std::uint64_t tasks_ = 0;
};

// Whether a filter's bits follow from a hash that can be kept. Else they start from the key.
bool takes_hashes(const PyPlan* plan, const nb::dict& filters) {
  if (plan == nullptr) {
    const SizingRequest request = sizing_of(filter_args(filters));
    return request.seeds.empty() && request.dialect == Dialect::kBloomery;
  }
  if (plan->plan.groups.empty()) {
    throw Failure(make_error(ErrorCode::kInvalidArgument, "a plan without groups"));
  }
  const GroupPlan& first = plan->plan.groups.front();
  for (const GroupPlan& group : plan->plan.groups) {
    // A key is hashed once, whatever its group.
    if (group.spec.hasher != first.spec.hasher || group.spec.dialect != first.spec.dialect ||
        group.spec.seeds != first.spec.seeds) {
      throw Failure(make_error(
          ErrorCode::kMismatch,
          "groups \"{}\" and \"{}\" are planned with different hashes, seeds or dialects; "
          "plan them together",
          escaped(first.group), escaped(group.group)));
    }
  }
  return first.spec.takes_hashes();
}

Hasher hasher_for(const PyPlan* plan, const nb::dict& filters) {
  const bool has_hash = takes_hashes(plan, filters);
  if (plan == nullptr) return counting_hasher(sizing_of(filter_args(filters)));
  return has_hash ? plan->plan.groups.front().spec.hasher : Hasher();
}

}  // namespace

void bind_hash_tasks(nb::module_& module) {
  nb::class_<HashTask> hash(module, "HashTask");
  hash.def(
          "__init__",
          [](HashTask* self, const RecipeText& recipe, const PyPlan* plan, const nb::dict& filters,
             const nb::dict& options) {
            new (self) HashTask(recipe, hasher_for(plan, filters), options);
          },
          nb::arg("recipe"), nb::arg("plan").none(), nb::arg("filters"), nb::arg("options"))
      .def("finish", &HashTask::finish);
  bind_reading(hash);
  module.def("takes_hashes", &takes_hashes, nb::arg("plan").none(), nb::arg("filters"));
  nb::class_<Counts>(module, "Counts")
      .def(nb::init<>())
      .def("add", &Counts::add, nb::arg("json"))
      .def("check", &Counts::check, nb::arg("inputs"), nb::arg("strict"), nb::arg("lenient"),
           nb::arg("max_bad"), nb::arg("max_groups") = kDefaultMaxGroups)
      .def(
          "plan",
          [](const Counts& self, const RecipeText& recipe, const nb::dict& filters, bool distinct) {
            return self.plan(recipe, filter_args(filters), distinct);
          },
          nb::arg("recipe"), nb::arg("filters"), nb::arg("distinct"))
      .def("restrict", &Counts::restrict, nb::arg("plan"), nb::arg("recipe"))
      .def(
          "facts",
          [](const Counts& self, const InputNames& inputs) {
            return self.facts(inputs_of(inputs));
          },
          nb::arg("inputs"))
      .def_prop_ro("tasks", &Counts::tasks);
}

}  // namespace bloomery::python
