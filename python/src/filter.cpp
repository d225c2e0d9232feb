#include "filter.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "errors.h"
#include "jobs.h"
#include "key_chunks.h"
#include "keys.h"
#include "memory_bank.h"
#include "spec_args.h"
#include "task_support.h"

namespace nb = nanobind;

namespace bloomery::python {
namespace {

// Hashes to collect before they go in: enough for a large filter to sort them by place.
constexpr std::size_t kRoundHashes = std::size_t{1} << 22U;

using Exclusive = std::unique_lock<std::shared_mutex>;
using Shared = std::shared_lock<std::shared_mutex>;

// Takes the lock; gives the GIL away only if it has to wait.
template <typename Lock>
Lock lock_of(std::shared_mutex& mutex) {
  Lock lock(mutex, std::try_to_lock);
  if (!lock.owns_lock()) {
    const nb::gil_scoped_release released;
    lock.lock();
  }
  return lock;
}

// Keyword arguments as one dict, so that a wrong one is named with what it must be.
void make_filter(PyFilter* self, nb::handle keys, nb::handle fpr, nb::dict options) {
  static constexpr std::array<std::string_view, 8> kNames{"kind",  "hash",  "seed",   "hashes",
                                                          "seeds", "bytes", "secret", "key_type"};
  for (const auto& [name, value] : options) {
    const std::string given = nb::cast<std::string>(name);
    if (std::ranges::find(kNames, given) != kNames.end()) continue;
    std::string known = "keys, fpr";
    for (const std::string_view one : kNames) known += fmt::format(", {}", one);
    throw nb::type_error(
        fmt::format("Filter() has no argument {}; it takes {}", escaped(given), known).c_str());
  }
  options["keys"] = keys;
  options["fpr"] = fpr;
  std::uint64_t room = 0;
  std::string key_type = "text";
  take_option(options, "keys", room);
  take_option(options, "key_type", key_type);
  const FilterArgs args = filter_args(options);
  const KeyType type = key_type_of(key_type);
  auto plan = plan_groups({{std::string(kOnlyGroup), room, room}}, sizing_of(args));
  if (!plan) {
    Error error = plan.error();  // of a group that nobody named
    const std::string group = fmt::format("group \"{}\": ", kOnlyGroup);
    if (error.message.starts_with(group)) error.message.erase(0, group.size());
    throw Failure(std::move(error));
  }
  new (self) PyFilter(unwrap(Filter::create(plan->front().spec)), type, 0, secret_of(args.secret));
}

std::unique_ptr<PyFilter> copy_of(const PyFilter& filter) {
  const Shared lock = lock_of<Shared>(filter.mutex);
  return std::make_unique<PyFilter>(unwrap(Filter::copy_of(filter.filter)), filter.key_type,
                                    filter.count, filter.secret);
}

void insert_one(PyFilter& filter, nb::handle key) {
  std::string scratch;
  const std::string_view bytes = key_bytes(key, filter.key_type, scratch);
  const Exclusive lock = lock_of<Exclusive>(filter.mutex);
  filter.filter.insert(bytes);
  ++filter.count;
}

bool ask_one(const PyFilter& filter, nb::handle key) {
  if (is_missing(key)) return false;
  std::string scratch;
  const std::string_view bytes = key_bytes(key, filter.key_type, scratch);
  const Shared lock = lock_of<Shared>(filter.mutex);
  return filter.filter.may_contain(bytes);
}

bool remove_one(PyFilter& filter, nb::handle key) {
  if (filter.filter.spec().kind != Kind::kCounting) {
    throw Failure(make_error(ErrorCode::kUnsupported,
                             "only the counting kind can remove keys; make one with "
                             "kind=\"counting\""));
  }
  std::string scratch;
  const std::string_view bytes = key_bytes(key, filter.key_type, scratch);
  const Exclusive lock = lock_of<Exclusive>(filter.mutex);
  const bool is_removed = filter.filter.remove(bytes);
  if (is_removed && filter.count > 0) --filter.count;
  return is_removed;
}

void merge_into(PyFilter& to, const PyFilter& from) {
  if (&to == &from) return;
  if (to.key_type != from.key_type) {
    throw Failure(make_error(ErrorCode::kMismatch, "key types differ: {} and {}",
                             key_type_name(to.key_type), key_type_name(from.key_type)));
  }
  const nb::gil_scoped_release released;
  // Both at once, so that two threads merging crosswise cannot wait for each other.
  Exclusive alone(to.mutex, std::defer_lock);
  Shared shared(from.mutex, std::defer_lock);
  std::lock(alone, shared);
  unwrap(to.filter.merge(from.filter));
  to.count += from.count;
}

// Hashes of keys on their way into a filter.
class Inserter {
 public:
  Inserter(PyFilter& filter, unsigned threads) : filter_(&filter), threads_(threads) {}

  void take(const KeyChunk& chunk) {
    inserted_ += chunk.keys.size();
    if (!filter_->filter.spec().takes_hashes()) {
      const Exclusive lock(filter_->mutex);
      filter_->filter.insert(chunk.keys, threads_);
      filter_->count += chunk.keys.size();
      return;
    }
    const std::size_t before = hashes_.size();
    hashes_.resize(before + chunk.keys.size());
    filter_->filter.spec().hasher.hash_all(chunk.keys, std::span(hashes_).subspan(before));
    if (hashes_.size() >= kRoundHashes) flush();
  }
  void flush() {
    const Exclusive lock(filter_->mutex);
    filter_->filter.insert(std::span<const KeyHash>(hashes_), threads_);
    filter_->count += hashes_.size();
    hashes_.clear();
  }
  [[nodiscard]] std::size_t inserted() const noexcept { return inserted_; }

 private:
  PyFilter* filter_;
  unsigned threads_;
  std::vector<KeyHash> hashes_;
  std::size_t inserted_ = 0;
};

// What went in and what did not: (keys, nulls).
std::pair<std::size_t, std::size_t> insert_many(PyFilter& filter, nb::handle keys,
                                                unsigned threads) {
  Inserter inserter(filter, threads);
  const std::size_t fields =
      each_chunk(keys, filter.key_type, [&](const KeyChunk& chunk) { inserter.take(chunk); });
  {
    const nb::gil_scoped_release released;
    inserter.flush();
  }
  return {inserter.inserted(), fields - inserter.inserted()};
}

nb::object update(PyFilter& filter, const nb::args& sources, unsigned threads) {
  std::size_t keys = 0;
  std::size_t nulls = 0;
  for (const nb::handle source : sources) {
    const PyFilter* other = nullptr;
    if (nb::try_cast<const PyFilter*>(source, other) && other != nullptr) {
      keys += other->count;
      merge_into(filter, *other);
      continue;
    }
    const auto [some, none] = insert_many(filter, source, threads);
    keys += some;
    nulls += none;
  }
  return nb::module_::import_("bloomery").attr("Inserted")(keys, nulls);
}

std::size_t size_of(const PyFilter& filter) {
  const Shared lock = lock_of<Shared>(filter.mutex);
  return estimated_size(filter.filter.estimated_keys());
}

bool is_equal(const PyFilter& a, const PyFilter& b) {
  if (&a == &b) return true;
  Shared first(a.mutex, std::defer_lock);
  Shared second(b.mutex, std::defer_lock);
  const nb::gil_scoped_release released;
  std::lock(first, second);
  return a.key_type == b.key_type && a.filter.spec() == b.filter.spec() &&
         std::ranges::equal(a.filter.table(), b.filter.table());
}

std::string text_of(const PyFilter& filter) {
  const FilterSpec& spec = filter.filter.spec();
  return fmt::format("<bloomery.Filter {}: {} of {} keys at fpr {}, {} bits, {} hashes>",
                     to_string(spec.kind), filter.count.load(), spec.planned_keys, spec.fpr,
                     spec.bits, spec.hashes);
}

nb::bytes to_bytes(const PyFilter& filter) {
  const Shared lock = lock_of<Shared>(filter.mutex);
  const GroupFilter group{kOnlyGroup, &filter.filter, filter.count};
  WriteOptions options;
  if (filter.key_type != KeyType::kText) {
    options.recipe["key-type"] = key_type_name(filter.key_type);
  }
  const auto bytes = unwrap(bank_bytes({&group, 1}, options));
  return nb::bytes(bytes.data(), bytes.size());
}

std::unique_ptr<PyFilter> from_bytes(const nb::bytes& bytes,
                                     const std::optional<nb::bytes>& secret) {
  const MemoryBank memory({static_cast<const std::byte*>(bytes.data()), bytes.size()});
  OpenOptions options;
  options.secret = secret_of(secret);
  const Bank bank = unwrap(Bank::from_bytes(memory.bytes(), "filter", options));
  if (bank.entries().size() != 1) {
    throw Failure(make_error(ErrorCode::kInvalidArgument,
                             "a bank of {} groups is no filter; bloomery.open() takes a file",
                             bank.entries().size()));
  }
  const auto type = bank.recipe().find("key-type");
  const BankEntry& entry = bank.entries().front();
  return std::make_unique<PyFilter>(
      unwrap(Filter::copy_of(entry.filter())),
      type == bank.recipe().end() ? KeyType::kText : key_type_of(type->second), entry.count(),
      options.secret);
}

std::optional<nb::bytes> secret_bytes(const PyFilter& filter) {
  if (!filter.secret) return std::nullopt;
  return nb::bytes(filter.secret->data(), filter.secret->size());
}

void bind_questions(nb::class_<PyFilter>& type) {
  type.def("__contains__", &ask_one, nb::arg("key").none())
      .def(
          "may_contain",
          [](const PyFilter& filter, nb::handle keys, unsigned threads) -> nb::object {
            if (is_one_key(keys) || is_missing(keys)) return nb::bool_(ask_one(filter, keys));
            return ask_many(filter.filter, filter.key_type, keys, threads, &filter.mutex);
          },
          nb::arg("keys").none(), nb::arg("threads") = 1,
          "False: never inserted. True: inserted, or a false positive. One key gives a bool, many "
          "a NumPy array of bool.")
      .def("__len__", &size_of)
      .def("__bool__", [](const PyFilter& filter) { return filter.count > 0; })
      .def("__eq__", &is_equal, nb::is_operator())
      .def("__repr__", &text_of)
      .def_prop_ro(
          "count", [](const PyFilter& filter) { return filter.count.load(); },
          "Keys inserted, repeats included.")
      .def_prop_ro(
          "fill",
          [](const PyFilter& filter) {
            const Shared lock = lock_of<Shared>(filter.mutex);
            return filter.filter.fill();
          },
          "Ones as a share of all bits.")
      .def_prop_ro(
          "achieved_fpr",
          [](const PyFilter& filter) {
            const Shared lock = lock_of<Shared>(filter.mutex);
            return filter.filter.achieved_fpr();
          },
          "The false-positive rate that this fill gives.")
      .def_prop_ro(
          "spec", [](const PyFilter& filter) { return spec_dict(filter.filter.spec()); },
          "What the filter is, apart from its bits.")
      .def_prop_ro("key_type",
                   [](const PyFilter& filter) { return key_type_name(filter.key_type); });
}

void bind_changes(nb::class_<PyFilter>& type) {
  type.def("insert", &insert_one, nb::arg("key").none(), "Inserts one key: str, bytes or int.")
      .def(
          "update", &update, nb::arg("keys"), nb::arg("threads") = 1,
          "Inserts all keys of iterables, NumPy arrays, Arrow columns and other filters. Nulls are "
          "counted and left out.")
      .def("remove", &remove_one, nb::arg("key").none(),
           "Takes one insertion back (counting kind). False, changing nothing, when the filter "
           "denies the key.")
      .def(
          "clear",
          [](PyFilter& filter) {
            const Exclusive lock = lock_of<Exclusive>(filter.mutex);
            filter.filter.clear();
            filter.count = 0;
          },
          "Forgets every key.")
      .def("copy", &copy_of)
      .def("__copy__", &copy_of)
      .def(
          "__deepcopy__", [](const PyFilter& f, nb::handle /*memo*/) { return copy_of(f); },
          nb::arg("memo"))
      .def(
          "union",
          [](const PyFilter& a, const PyFilter& b) {
            auto both = copy_of(a);
            merge_into(*both, b);
            return both;
          },
          nb::arg("other"))
      .def(
          "__or__",
          [](const PyFilter& a, const PyFilter& b) {
            auto both = copy_of(a);
            merge_into(*both, b);
            return both;
          },
          nb::is_operator())
      .def(
          "__ior__",
          [](nb::handle self, const PyFilter& other) {
            merge_into(*nb::cast<PyFilter*>(self), other);
            return nb::borrow(self);
          },
          nb::is_operator());
}

}  // namespace

BoolArray make_bool_array(const std::vector<std::uint8_t>& values) {
  auto* const copy = new bool[values.size()];  // NOLINT(*-owning-memory): the capsule owns it
  std::copy(values.begin(), values.end(), copy);
  const nb::capsule owner(copy,
                          [](void* pointer) noexcept { delete[] static_cast<bool*>(pointer); });
  return {nb::cast(nb::ndarray<nb::numpy, bool, nb::ndim<1>>(copy, {values.size()}, owner)), copy};
}

nb::object ask_many(const FilterView& view, KeyType type, nb::handle keys, unsigned threads,
                    std::shared_mutex* mutex) {
  std::vector<std::uint8_t> answers;
  each_chunk(keys, type, [&](const KeyChunk& chunk) {
    const std::size_t before = answers.size();
    answers.resize(before + chunk.fields);
    Shared lock;
    if (mutex != nullptr) lock = Shared(*mutex);
    const Answers some = view.may_contain(chunk.keys, threads);
    for (std::size_t i = 0; i < chunk.keys.size(); ++i) {
      answers[before + chunk.places[i]] = some[i] ? 1 : 0;
    }
  });
  return make_bool_array(answers).array;
}

std::size_t estimated_size(double keys) {
  if (std::isfinite(keys)) return static_cast<std::size_t>(std::llround(keys));
  throw Failure(make_error(ErrorCode::kResource,
                           "the filter is full: it may hold any number of "
                           "keys; make a larger one"));
}

void bind_filter(nb::module_& module) {
  nb::class_<PyFilter> type(module, "Filter",
                            "A Bloom filter: a set that may take an absent key for a member, never "
                            "the other way round.");
  type.def(
      "__init__",
      [](PyFilter* self, nb::handle keys, nb::handle fpr, const nb::kwargs& options) {
        make_filter(self, keys, fpr, options);
      },
      nb::arg("keys"), nb::arg("fpr") = 0.01, nb::arg("options"),
      nb::sig("def __init__(self, keys: int, fpr: float = 0.01, *, kind: str = 'blocked', "
              "hash: str = 'xxh3', seed: int = 0, hashes: int | None = None, "
              "seeds: collections.abc.Sequence[int] = (), bytes: int | None = None, "
              "secret: bytes | None = None, key_type: str = 'text') -> None"),
      "Room for `keys` keys; at most `fpr` of absent keys are taken for members.");
  bind_questions(type);
  bind_changes(type);
  type.attr("__hash__") = nb::none();  // it changes, as a set does
  type.def("to_bytes", &to_bytes, "The bytes of a bank with this filter as its group \"all\".")
      .def_static("from_bytes", &from_bytes, nb::arg("bytes"), nb::arg("secret") = nb::none(),
                  "What to_bytes() gave.")
      .def("__reduce__", [](nb::handle self) {
        const auto& filter = *nb::cast<const PyFilter*>(self);
        return nb::make_tuple(nb::module_::import_("bloomery.restore").attr("filter"),
                              nb::make_tuple(to_bytes(filter), secret_bytes(filter)));
      });
}

}  // namespace bloomery::python
