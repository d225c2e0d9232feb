#include "bank/container_folder.h"

#include <sys/file.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/ascii.h"
#include "base/atomic_file.h"
#include "base/base64.h"
#include "base/error.h"
#include "base/file.h"
#include "base/mapped_file.h"
#include "base/temporary_name.h"
#include "parse/utf8.h"

namespace bloomery {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kListName = "groups.json";
constexpr std::uint64_t kMaxListBytes = std::uint64_t{256} << 20U;

// Removes a folder that was not finished.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {}
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const noexcept { return path_; }
  void keep() { path_.clear(); }

 private:
  fs::path path_;
};

Result<void> write_text(const std::string& path, std::string_view text) {
  auto file = AtomicFile::create(path, false);
  if (!file) return file.error();
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  if (auto written = file->write(0, bytes); !written) return written;
  return file->commit();
}

json list_item(std::string_view group, const std::string& file) {
  json item{{"file", file}};
  if (is_utf8(group)) {
    item["group"] = group;
  } else {
    item["group_b64"] = to_base64(group);
  }
  return item;
}

Result<std::vector<ExportedFile>> export_folder(const std::string& path,
                                                std::span<const GroupFilter> filters) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(path, error))) {
    return make_error(ErrorCode::kExists,
                      "{}: is there already, and {} groups need a new folder; give another path",
                      printable_path(path), filters.size());
  }
  fs::path target(path);
  if (target.filename().empty()) target = target.parent_path();
  const File parent = open_folder(target.has_parent_path() ? target.parent_path().string() : ".");
  if (!parent.is_open())
    return errno_error(errno, printable_path(path) + ": cannot open its folder");
  remove_stale_temporaries(parent, target.filename().string());
  TemporaryFolder folder(target.parent_path() / temporary_name(target.filename().string()));
  if (!fs::create_directory(folder.path(), error)) {
    return errno_error(error ? error.value() : EEXIST,
                       printable_path(folder.path().string()) + ": cannot make the folder");
  }
  // Says "alive" to remove_stale_temporaries().
  const File lock = open_folder(folder.path().string());
  static_cast<void>(::flock(lock.descriptor(), LOCK_EX | LOCK_NB));
  json list = json::array();
  std::vector<ExportedFile> files;
  for (const GroupFilter& each : filters) {
    const std::string name = fmt::format("{:06}.bloom", files.size() + 1);
    if (auto done = write_container((folder.path() / name).string(), {&each, 1}, false); !done) {
      return done.error();
    }
    list.push_back(list_item(each.group, name));
    files.push_back({std::string(each.group), (target / name).string(), each.filter});
  }
  const std::string dialect(to_string(filters.front().filter->spec().dialect));
  const json document{{"bloomery_filters", 1}, {"dialect", dialect}, {"groups", std::move(list)}};
  if (auto done = write_text((folder.path() / kListName).string(), document.dump(1) + "\n");
      !done) {
    return done.error();
  }
  fs::rename(folder.path(), target, error);
  if (error) return errno_error(error.value(), printable_path(path) + ": cannot rename into place");
  folder.keep();
  if (const int error_number = flush_folder(parent); error_number != 0) {
    return errno_error(error_number, printable_path(path) +
                                         ": is written, but may not survive a power failure; its "
                                         "folder: cannot flush");
  }
  return files;
}

struct ListedFile {
  std::string group;
  std::string file;
};

// Digits and letters of ASCII, so that a list cannot lead out of its folder.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 255 && name.front() != '.' &&
         std::ranges::all_of(name, [](char c) {
           return is_ascii_letter_or_digit(c) || c == '.' || c == '-' || c == '_';
         });
}

// May throw whatever the JSON library throws.
std::vector<ListedFile> listed_files(std::string_view text) {
  const json document = json::parse(text);
  if (document.value("bloomery_filters", 0) != 1) throw std::runtime_error("not of version 1");
  std::vector<ListedFile> files;
  for (const json& item : document.at("groups")) {
    ListedFile file;
    file.file = item.at("file").get<std::string>();
    if (!is_plain_name(file.file)) throw std::runtime_error("a file name that is none");
    if (item.contains("group")) {
      file.group = item.at("group").get<std::string>();
    } else {
      auto bytes = from_base64(item.at("group_b64").get<std::string>());
      if (!bytes) throw std::runtime_error("group_b64 is not Base64");
      file.group = *std::move(bytes);
    }
    files.push_back(std::move(file));
  }
  return files;
}

Result<std::vector<ListedFile>> read_list(const std::string& path) {
  const auto mapped = MappedFile::open(path);
  if (!mapped) return mapped.error();
  const auto bytes = mapped->bytes();
  const auto refused = [&](std::string_view why) {
    return make_error(ErrorCode::kDamaged, "{}: not a list of filters: {}; export it again",
                      printable_path(path), escaped(why));
  };
  if (bytes.size() > kMaxListBytes) return refused("it is too long");
  try {
    return listed_files({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const json::exception& error) {
    return refused(error.what());
  } catch (const std::runtime_error& error) {
    return refused(error.what());
  }
}

Result<Bank> import_file(const std::string& path, const ContainerOptions& options) {
  const auto mapped = MappedFile::open(path);
  if (!mapped) return mapped.error();
  return read_container(mapped->bytes(), printable_path(path), options);
}

}  // namespace

Result<std::vector<ExportedFile>> export_filters(const std::string& path,
                                                 std::span<const GroupFilter> filters,
                                                 bool overwrite) {
  if (auto checked = check_path(path); !checked) return checked.error();
  // Of all at once: a folder writes them one by one.
  const auto rules = rules_of_all(filters);
  if (!rules) {
    return Error{rules.error().code,
                 fmt::format("{}: {}", printable_path(path), rules.error().message)};
  }
  if (filters.size() > 1 && !(*rules)->container.holds_many) return export_folder(path, filters);
  if (auto done = write_container(path, filters, overwrite); !done) return done.error();
  std::vector<ExportedFile> files;
  for (const GroupFilter& each : filters) {
    files.push_back({std::string(each.group), path, each.filter});
  }
  return files;
}

Result<std::vector<Bank>> import_filters(const std::string& path, const ContainerOptions& options) {
  std::vector<Bank> banks;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    auto bank = import_file(path, options);
    if (!bank) return bank.error();
    banks.push_back(*std::move(bank));
    return banks;
  }
  const auto files = read_list((fs::path(path) / kListName).string());
  if (!files) return files.error();
  for (const ListedFile& file : *files) {
    ContainerOptions own = options;
    own.group = file.group;
    auto bank = import_file((fs::path(path) / file.file).string(), own);
    if (!bank) return bank.error();
    banks.push_back(*std::move(bank));
  }
  return banks;
}

}  // namespace bloomery
