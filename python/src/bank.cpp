#include "bank.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "errors.h"
#include "filter.h"
#include "key_chunks.h"
#include "keys.h"
#include "query/bank_query.h"
#include "spec_args.h"
#include "task_support.h"

namespace nb = nanobind;

namespace bloomery::python {
namespace {

// One group's filter in a bank, which it keeps open.
struct PyEntry {
  std::shared_ptr<PyBank> bank;
  const BankEntry* entry = nullptr;
};

KeyType key_type_in(const Bank& bank) {
  const auto found = bank.recipe().find("key-type");
  return found == bank.recipe().end() ? KeyType::kText : key_type_of(found->second);
}

PyBank bank_of(Bank bank, std::string path, std::shared_ptr<const MemoryBank> memory,
               const std::optional<SecretKey>& secret) {
  const KeyType type = key_type_in(bank);
  return {std::move(bank), std::move(path), std::move(memory), type, secret};
}

std::vector<GroupFilter> filters_of(const Bank& bank) {
  std::vector<GroupFilter> filters;
  for (const BankEntry& entry : bank.entries()) {
    filters.push_back({entry.group(), &entry.filter(), entry.count()});
  }
  return filters;
}

WriteOptions texts_of(const Bank& bank) {
  WriteOptions options;
  options.recipe = bank.recipe();
  options.metadata = bank.metadata();
  return options;
}

nb::bytes to_bytes(const PyBank& bank) {
  const auto bytes = unwrap(bank_bytes(filters_of(bank.bank), texts_of(bank.bank)));
  return nb::bytes(bytes.data(), bytes.size());
}

PyBank from_bytes(const nb::bytes& bytes, const std::optional<nb::bytes>& secret) {
  auto memory = std::make_shared<const MemoryBank>(
      std::span(static_cast<const std::byte*>(bytes.data()), bytes.size()));
  OpenOptions options;
  options.secret = secret_of(secret);
  Bank bank = unwrap(Bank::from_bytes(memory->bytes(), "bank in memory", options));
  return bank_of(std::move(bank), "", std::move(memory), options.secret);
}

nb::list groups_of(const PyBank& bank) {
  nb::list names;
  for (const BankEntry& entry : bank.bank.entries()) names.append(group_name(entry.group()));
  return names;
}

PyEntry entry_of(const std::shared_ptr<PyBank>& bank, nb::handle group) {
  const std::string name = group_bytes(group);
  const BankEntry* const entry = bank->bank.find(name);
  if (entry == nullptr) {
    throw Failure(make_error(ErrorCode::kNotFound,
                             "no group \"{}\" in the bank; groups has the names", escaped(name)));
  }
  return {bank, entry};
}

// `groups`: names, one name, or None for all.
BankQuery query_of(const PyBank& bank, nb::handle groups, unsigned threads) {
  std::vector<std::string> names;
  if (is_one_key(groups)) {
    names.push_back(group_bytes(groups));
  } else if (!groups.is_none()) {
    for (const nb::handle group : nb::iter(groups)) names.push_back(group_bytes(group));
    if (names.empty()) {
      throw Failure(make_error(ErrorCode::kInvalidArgument,
                               "groups=: no group to ask; leave it out to ask all of them"));
    }
  }
  return unwrap(BankQuery::create(bank.bank, names, threads));
}

nb::list names_of(const PyBank& bank, std::span<const std::uint32_t> entries) {
  nb::list names;
  for (const std::uint32_t entry : entries) {
    names.append(group_name(bank.bank.entries()[entry].group()));
  }
  return names;
}

// One key: the groups that may hold it. Many: a list of those for each; None for a null.
nb::object query(const PyBank& bank, nb::handle keys, nb::handle groups, unsigned threads) {
  const BankQuery query = query_of(bank, groups, threads);
  if (is_missing(keys)) return nb::list();
  if (is_one_key(keys)) {
    std::string scratch;
    const std::string_view key = key_bytes(keys, bank.key_type, scratch);
    return names_of(bank, query.groups_of({&key, 1})[0]);
  }
  nb::list answers;
  each_chunk(keys, bank.key_type, [&](const KeyChunk& chunk) {
    const GroupLists lists = query.groups_of(chunk.keys);
    const nb::gil_scoped_acquire acquired;
    std::size_t next = 0;
    for (std::size_t field = 0; field < chunk.fields; ++field) {
      if (next < chunk.places.size() && chunk.places[next] == field) {
        answers.append(names_of(bank, lists[next++]));
      } else {
        answers.append(nb::none());
      }
    }
  });
  return answers;
}

nb::object may_contain(const PyBank& bank, nb::handle keys, nb::handle groups, unsigned threads) {
  const BankQuery query = query_of(bank, groups, threads);
  if (is_missing(keys)) return nb::bool_(false);
  if (is_one_key(keys)) {
    std::string scratch;
    const std::string_view key = key_bytes(keys, bank.key_type, scratch);
    return nb::bool_(query.any_of({&key, 1})[0]);
  }
  std::vector<std::uint8_t> answers;
  each_chunk(keys, bank.key_type, [&](const KeyChunk& chunk) {
    const std::size_t before = answers.size();
    answers.resize(before + chunk.fields);
    const Answers some = query.any_of(chunk.keys);
    for (std::size_t i = 0; i < chunk.keys.size(); ++i) {
      answers[before + chunk.places[i]] = some[i] ? 1 : 0;
    }
  });
  return make_bool_array(answers).array;
}

// As may_contain() for many keys, packed as Arrow packs bools, for who has no NumPy: (bits,
// fields).
nb::tuple may_contain_bits(const PyBank& bank, nb::handle keys, nb::handle groups) {
  const BankQuery query = query_of(bank, groups, 1);
  std::string bits;
  std::size_t fields = 0;
  each_chunk(keys, bank.key_type, [&](const KeyChunk& chunk) {
    const Answers some = query.any_of(chunk.keys);
    bits.resize((fields + chunk.fields + 7) / 8);
    for (std::size_t i = 0; i < chunk.keys.size(); ++i) {
      const std::size_t place = fields + chunk.places[i];
      if (some[i]) bits[place / 8] = static_cast<char>(bits[place / 8] | (1 << (place % 8)));
    }
    fields += chunk.fields;
  });
  return nb::make_tuple(nb::bytes(bits.data(), bits.size()), fields);
}

std::string hex(const std::array<std::byte, 16>& digest) {
  std::string text;
  for (const std::byte byte : digest) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

nb::dict text_dict(const TextMap& texts) {
  nb::dict dict;
  for (const auto& [name, text] : texts) dict[group_name(name)] = group_name(text);
  return dict;
}

void save(const PyBank& bank, const std::filesystem::path& path, bool overwrite) {
  WriteOptions options = texts_of(bank.bank);
  options.overwrite = overwrite;
  unwrap(write_bank(path.string(), filters_of(bank.bank), options));
}

void write_filters(const nb::dict& filters, const std::filesystem::path& path, bool overwrite,
                   const TextMap& metadata) {
  std::vector<std::string> names;
  std::vector<const PyFilter*> given;
  WriteOptions options;
  options.overwrite = overwrite;
  options.metadata = metadata;
  for (const auto& [name, value] : filters) {
    names.push_back(group_bytes(name));
    given.push_back(nb::cast<const PyFilter*>(value));
    const KeyType first = given.front()->key_type;
    const KeyType type = given.back()->key_type;
    if (type != first) {
      throw Failure(make_error(ErrorCode::kMismatch,
                               "filters of key types {} and {}: a bank has one; save them apart",
                               key_type_name(first), key_type_name(type)));
    }
    if (type != KeyType::kText) options.recipe["key-type"] = key_type_name(type);
  }
  // Nobody waits for a lock with the GIL.
  const nb::gil_scoped_release released;
  std::set<const PyFilter*> distinct(given.begin(), given.end());
  std::vector<std::shared_lock<std::shared_mutex>> locks;
  for (const PyFilter* filter : distinct) locks.emplace_back(filter->mutex);
  std::vector<GroupFilter> list;
  for (std::size_t i = 0; i < given.size(); ++i) {
    list.push_back({names[i], &given[i]->filter, given[i]->count});
  }
  unwrap(write_bank(path.string(), list, options));
}

void merge(const std::vector<std::shared_ptr<PyBank>>& banks, const std::filesystem::path& path,
           bool overwrite) {
  std::vector<const Bank*> list;
  for (const auto& bank : banks) list.push_back(&bank->bank);
  WriteOptions options;
  options.overwrite = overwrite;
  unwrap(merge_banks(list, path.string(), options));
}

void bind_entry(nb::module_& module) {
  nb::class_<PyEntry>(module, "Entry", "One group's filter in a bank.")
      .def_prop_ro("group", [](const PyEntry& self) { return group_name(self.entry->group()); })
      .def_prop_ro(
          "count", [](const PyEntry& self) { return self.entry->count(); },
          "Keys inserted, repeats included.")
      .def_prop_ro("spec",
                   [](const PyEntry& self) { return spec_dict(self.entry->filter().spec()); })
      .def_prop_ro("fill", [](const PyEntry& self) { return self.entry->filter().fill(); })
      .def_prop_ro("achieved_fpr",
                   [](const PyEntry& self) { return self.entry->filter().achieved_fpr(); })
      .def("__len__",
           [](const PyEntry& self) {
             return estimated_size(estimated_keys(self.entry->filter().spec(), self.entry->ones()));
           })
      .def(
          "__contains__",
          [](const PyEntry& self, nb::handle key) {
            if (is_missing(key)) return false;
            std::string scratch;
            return self.entry->filter().may_contain(key_bytes(key, self.bank->key_type, scratch));
          },
          nb::arg("key").none())
      .def("__repr__",
           [](const PyEntry& self) {
             const FilterSpec& spec = self.entry->filter().spec();
             return fmt::format("<bloomery.Entry \"{}\": {} keys, {}, {} bits, {} hashes>",
                                escaped(self.entry->group()), self.entry->count(),
                                to_string(spec.kind), spec.bits, spec.hashes);
           })
      .def(
          "may_contain",
          [](const PyEntry& self, nb::handle keys, unsigned threads) -> nb::object {
            std::string scratch;
            if (is_missing(keys)) return nb::bool_(false);
            if (is_one_key(keys)) {
              const auto key = key_bytes(keys, self.bank->key_type, scratch);
              return nb::bool_(self.entry->filter().may_contain(key));
            }
            return ask_many(self.entry->filter(), self.bank->key_type, keys, threads, nullptr);
          },
          nb::arg("keys").none(), nb::arg("threads") = 1)
      .def(
          "filter",
          [](const PyEntry& self) {
            return std::make_unique<PyFilter>(unwrap(Filter::copy_of(self.entry->filter())),
                                              self.bank->key_type, self.entry->count(),
                                              self.bank->secret);
          },
          "A copy of the filter, to be changed.");
}

void bind_facts(nb::class_<PyBank>& type) {
  type.def_prop_ro("groups", &groups_of, "The names, sorted as bytes; bytes where not UTF-8.")
      .def("__len__", [](const PyBank& self) { return self.bank.entries().size(); })
      .def("__iter__", [](const PyBank& self) { return nb::iter(groups_of(self)); })
      .def(
          "__contains__",
          [](const PyBank& self, nb::handle group) {
            return self.bank.find(group_bytes(group)) != nullptr;
          },
          nb::arg("group"))
      .def("__getitem__", &entry_of, nb::arg("group"))
      .def(
          "get",
          [](const std::shared_ptr<PyBank>& self, nb::handle group, nb::handle otherwise) {
            const bool is_here = self->bank.find(group_bytes(group)) != nullptr;
            return is_here ? nb::cast(entry_of(self, group)) : nb::borrow(otherwise);
          },
          nb::arg("group"), nb::arg("default") = nb::none())
      .def("keys", &groups_of)
      .def("values",
           [](const std::shared_ptr<PyBank>& self) {
             nb::list entries;
             for (const BankEntry& entry : self->bank.entries()) {
               entries.append(PyEntry{self, &entry});
             }
             return entries;
           })
      .def("items",
           [](const std::shared_ptr<PyBank>& self) {
             nb::list pairs;
             for (const BankEntry& entry : self->bank.entries()) {
               pairs.append(nb::make_tuple(group_name(entry.group()), PyEntry{self, &entry}));
             }
             return pairs;
           })
      .def_prop_ro(
          "recipe", [](const PyBank& self) { return text_dict(self.bank.recipe()); },
          "How keys and groups were made from records.")
      .def_prop_ro("metadata", [](const PyBank& self) { return text_dict(self.bank.metadata()); })
      .def_prop_ro(
          "digest", [](const PyBank& self) { return hex(self.bank.digest()); },
          "Stands for the whole content: equal digests, equal banks.")
      .def_prop_ro("nbytes", [](const PyBank& self) { return self.bank.file_size(); })
      .def_prop_ro(
          "path",
          [](const PyBank& self) -> nb::object {
            if (self.path.empty()) return nb::none();
            return path_text(self.path);
          },
          "The file, or None for a bank in memory.")
      .def(
          "__eq__",
          [](const PyBank& a, const PyBank& b) { return a.bank.digest() == b.bank.digest(); },
          nb::is_operator())
      .def("__hash__",
           [](const PyBank& self) { return nb::hash(nb::str(hex(self.bank.digest()).c_str())); })
      .def("__repr__", [](const PyBank& self) {
        return fmt::format("<bloomery.Bank {}: {} groups, {} bytes, digest {}>",
                           self.path.empty() ? "in memory" : escaped(self.path),
                           self.bank.entries().size(), self.bank.file_size(),
                           hex(self.bank.digest()));
      });
}

}  // namespace

PyBank open_bank(const std::string& path, const std::optional<SecretKey>& secret, bool load) {
  OpenOptions options;
  options.secret = secret;
  Bank bank = unwrap(load ? Bank::load(path, options) : Bank::open(path, options));
  return bank_of(std::move(bank), path, nullptr, secret);
}

void bind_bank(nb::module_& module) {
  bind_entry(module);
  nb::class_<PyBank> type(module, "Bank", nb::dynamic_attr(),
                          "Filters by group, in one file that was checked from end to end.");
  bind_facts(type);
  type.def_static(
          "open",
          [](const std::filesystem::path& path, const std::optional<nb::bytes>& secret, bool load) {
            const auto key = secret_of(secret);
            const nb::gil_scoped_release released;
            return open_bank(path.string(), key, load);
          },
          nb::arg("path"), nb::kw_only(), nb::arg("secret") = nb::none(), nb::arg("load") = false)
      .def("query", &query, nb::arg("keys").none(), nb::kw_only(), nb::arg("groups") = nb::none(),
           nb::arg("threads") = 1, "The groups that may hold a key; a list of them for many keys.")
      .def("may_contain", &may_contain, nb::arg("keys").none(), nb::kw_only(),
           nb::arg("groups") = nb::none(), nb::arg("threads") = 1,
           "Whether any group may hold a key; a NumPy array of bool for many keys.")
      .def("_may_contain_bits", &may_contain_bits, nb::arg("keys"), nb::arg("groups") = nb::none())
      .def("save", &save, nb::arg("path"), nb::kw_only(), nb::arg("overwrite") = false)
      .def("to_bytes", &to_bytes)
      .def_static("from_bytes", &from_bytes, nb::arg("bytes"), nb::arg("secret") = nb::none())
      .def("__reduce__", [](nb::handle self) {
        const auto& bank = *nb::cast<const PyBank*>(self);
        std::optional<nb::bytes> secret;
        if (bank.secret) secret = nb::bytes(bank.secret->data(), bank.secret->size());
        return nb::make_tuple(nb::module_::import_("bloomery.restore").attr("bank"),
                              nb::make_tuple(to_bytes(bank), secret));
      });
  module.def("merge", &merge, nb::arg("banks"), nb::arg("path"), nb::arg("overwrite") = false,
             nb::call_guard<nb::gil_scoped_release>());
  module.def("write_filters", &write_filters, nb::arg("filters"), nb::arg("path"),
             nb::arg("overwrite") = false, nb::arg("metadata") = TextMap());
}

}  // namespace bloomery::python
