// The verify job in tasks: records to counts and candidates, candidates of one key together, the
// end.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bank.h"
#include "engines/check_tally.h"
#include "jobs.h"
#include "parse/tally_json.h"
#include "query/batch_prober.h"
#include "task_support.h"
#include "verify/candidate.h"
#include "verify/conclude.h"
#include "verify/verify_map.h"
#include "verify/wire.h"

namespace nb = nanobind;

namespace bloomery::python {
namespace {

// The kinds of rows that a task gives.
enum class VerifyRow : std::uint8_t {
  kTally = 0,
  kCounts = 1,
  kCandidates = 2,
  kSettled = 3,
  kReject = 4
};

// More are added up before they are kept, as a combiner does.
constexpr std::size_t kCompactAt = std::size_t{1} << 20U;

// Of one row: 1 MiB of candidates, because Spark and Arrow take no field above 2 GiB.
constexpr std::size_t kRowCandidates = (std::size_t{1} << 20U) / sizeof(Candidate);

class VerifyTask {
 public:
  VerifyTask(std::shared_ptr<PyBank> bank, const RecipeText& recipe, double sample,
             bool all_records, std::uint32_t parts, const nb::dict& options)
      : bank_(std::move(bank)), hashers_(bank_->bank), parts_(parts) {
    const VerifyOptions verify{unwrap(KeySample::create(sample)),
                               all_records ? Evidence::kAllRecords : Evidence::kCandidates};
    map_ = std::make_unique<VerifyMap>(unwrap(VerifyMap::create(
        bank_->bank, hashers_,
        [this](std::span<const Candidate> found) {
          candidates_.insert(candidates_.end(), found.begin(), found.end());
          if (candidates_.size() >= compact_at_) {
            compact(candidates_);
            compact_at_ = std::max(kCompactAt, 2 * candidates_.size());
          }
          return Result<void>();
        },
        verify)));
    ReadOptions read = read_options(options);
    rejects_.listen(options, read);
    reader_ = std::make_unique<RecordReader>(
        recipe_of(recipe), read, [this](const KeyBatch& batch) -> Result<void> {
          const GroupTable& groups = reader_->groups();
          for (std::size_t i = map_->group_count(); i < groups.size(); ++i) {
            map_->add_group(groups.name(static_cast<std::uint32_t>(i)));
          }
          return map_->add(batch.keys, batch.groups);
        });
  }

  [[nodiscard]] RecordReader& reader() noexcept { return *reader_; }

  // Rows (part, kind, payload): candidates by key, rejected records, counts and the tally.
  nb::list finish() {
    const VerifyCounts counts = unwrap(map_->finish());
    compact(candidates_);
    std::vector<std::vector<Candidate>> parts(parts_);
    for (const Candidate& candidate : candidates_) {
      parts[candidate.key.low % parts_].push_back(candidate);
    }
    nb::list rows;
    for (std::uint32_t part = 0; part < parts_; ++part) {
      std::span<const Candidate> rest = parts[part];
      while (!rest.empty()) {
        const auto some = rest.first(std::min(rest.size(), kRowCandidates));
        rows.append(row(part, VerifyRow::kCandidates, bytes_of(encode(some, bank_->bank))));
        rest = rest.subspan(some.size());
      }
    }
    for (const std::string& line : rejects_.lines()) {
      rows.append(row(0, VerifyRow::kReject, bytes_of(line)));
    }
    rows.append(row(0, VerifyRow::kCounts, bytes_of(encode(counts))));
    rows.append(row(0, VerifyRow::kTally, bytes_of(tally_to_json(reader_->tally()))));
    return rows;
  }

 private:
  static nb::tuple row(std::uint32_t part, VerifyRow kind, const nb::bytes& payload) {
    return nb::make_tuple(part, static_cast<int>(kind), payload);
  }

  std::shared_ptr<PyBank> bank_;
  BankHashers hashers_;
  std::uint32_t parts_;
  std::vector<Candidate> candidates_;
  std::size_t compact_at_ = kCompactAt;
  std::unique_ptr<VerifyMap> map_;
  RejectLines rejects_;
  std::unique_ptr<RecordReader> reader_;
};

class SettleTask {
 public:
  explicit SettleTask(std::shared_ptr<PyBank> bank) : bank_(std::move(bank)) {}

  // Rows of VerifyTask: part, kind, payload. Only candidates are settled; the rest goes on.
  void read_rows(nb::handle batch) {
    const TakenBatch taken = take_batch(batch);
    const ArrowColumn kinds = column_of(taken, 1);
    const ArrowColumn payloads = column_of(taken, 2);
    std::string scratch;
    for (std::size_t i = 0; i < static_cast<std::size_t>(taken.array->length); ++i) {
      const std::string_view bytes = payloads.text(i, scratch);
      const auto kind = static_cast<int>(kinds.number(i));
      if (kind != static_cast<int>(VerifyRow::kCandidates)) {
        rows_.append(nb::make_tuple(kind, bytes_of(bytes)));
        continue;
      }
      const auto some = unwrap(
          decode_candidates(std::as_bytes(std::span(bytes.data(), bytes.size())), bank_->bank));
      candidates_.insert(candidates_.end(), some.begin(), some.end());
    }
  }

  // Rows (kind, payload).
  nb::list finish() {
    compact(candidates_);
    SettledGroups settled(bank_->bank.entries().size());
    settle(candidates_, settled);
    rows_.append(nb::make_tuple(static_cast<int>(VerifyRow::kSettled),
                                bytes_of(encode(settled, bank_->bank))));
    return rows_;
  }

 private:
  std::shared_ptr<PyBank> bank_;
  std::vector<Candidate> candidates_;
  nb::list rows_;
};

class VerifyEnd {
 public:
  explicit VerifyEnd(std::shared_ptr<PyBank> bank)
      : bank_(std::move(bank)), settled_(bank_->bank.entries().size()) {}

  void add(int kind, const nb::bytes& payload) {
    switch (static_cast<VerifyRow>(kind)) {
      case VerifyRow::kTally:
        unwrap(facts_.tally.merge(unwrap(tally_from_json(view_of(payload)))));
        ++facts_.tasks;
        break;
      case VerifyRow::kCounts: {
        auto counts = unwrap(decode_counts(span_of(payload), bank_->bank));
        if (!counts_) {
          counts_ = std::move(counts);
        } else {
          unwrap(counts_->merge(counts));
        }
        break;
      }
      default:
        merge(settled_, unwrap(decode_settled(span_of(payload), bank_->bank)));
    }
  }

  void check(const InputNames& inputs, bool strict, bool lenient, double max_bad,
             std::uint64_t max_groups) const {
    if (counts_) unwrap(check_group_count(counts_->group_count(), max_groups));
    unwrap(check_tally(facts_.tally, {strict, lenient, max_bad, false, std::nullopt},
                       names_of(inputs)));
  }

  [[nodiscard]] std::string conclude() const {
    const VerifyCounts none(bank_->bank, Evidence::kCandidates, KeySample());
    return verification_json(
        unwrap(bloomery::conclude(bank_->bank, counts_ ? *counts_ : none, settled_)));
  }

  [[nodiscard]] std::string facts(const InputNames& inputs) {
    facts_.inputs = inputs_of(inputs);
    return facts_text(facts_);
  }

 private:
  std::shared_ptr<PyBank> bank_;
  JobFacts facts_;
  std::optional<VerifyCounts> counts_;
  SettledGroups settled_;
};

}  // namespace

void bind_verify_tasks(nb::module_& module) {
  nb::class_<VerifyTask> verify(module, "VerifyTask");
  verify
      .def(nb::init<std::shared_ptr<PyBank>, const RecipeText&, double, bool, std::uint32_t,
                    const nb::dict&>(),
           nb::arg("bank"), nb::arg("recipe"), nb::arg("sample"), nb::arg("all_records"),
           nb::arg("parts"), nb::arg("options"))
      .def("finish", &VerifyTask::finish);
  bind_reading(verify);
  nb::class_<SettleTask>(module, "SettleTask")
      .def(nb::init<std::shared_ptr<PyBank>>(), nb::arg("bank"))
      .def("read_rows", &SettleTask::read_rows, nb::arg("batch"))
      .def("finish", &SettleTask::finish);
  nb::class_<VerifyEnd>(module, "VerifyEnd")
      .def(nb::init<std::shared_ptr<PyBank>>(), nb::arg("bank"))
      .def("add", &VerifyEnd::add, nb::arg("kind"), nb::arg("payload"))
      .def("check", &VerifyEnd::check, nb::arg("inputs"), nb::arg("strict"), nb::arg("lenient"),
           nb::arg("max_bad"), nb::arg("max_groups") = kDefaultMaxGroups)
      .def("conclude", &VerifyEnd::conclude)
      .def("facts", &VerifyEnd::facts, nb::arg("inputs"));
}

}  // namespace bloomery::python
