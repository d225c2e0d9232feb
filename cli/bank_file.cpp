#include "cli/bank_file.h"

#include "base/file.h"
#include "cli/hadoop_flags.h"
#include "cli/signals.h"
#include "engines/hadoop/client.h"

namespace bloomery::cli {

Result<BankFile> BankFile::fetch(const std::string& address, const std::string& classpath,
                                 const std::string& tmp) {
  BankFile file;
  file.address_ = address;
  file.path_ = address;
  if (!hadoop::is_remote(address)) return file;
  auto commands = find_hadoop(classpath);
  if (!commands) return commands.error();
  auto folder = hadoop::LocalFolder::create(tmp);
  if (!folder) return folder.error();
  file.folder_ = *std::move(folder);
  file.path_ = file.folder_->path() + "/bank";
  std::atomic<bool> is_cancelled{false};
  const SignalGuard guard({}, &is_cancelled, SignalGuard::kCluster);
  const hadoop::Client client(*std::move(commands), &is_cancelled);
  if (auto got = client.get(address, file.path_); !got) return got.error();
  return file;
}

Error BankFile::named(Error error) const {
  if (!folder_) return error;
  const std::size_t at = error.message.find(path_);
  if (at != std::string::npos) {
    error.message.replace(at, path_.size(), printable_path(address_));
  }
  return error;
}

}  // namespace bloomery::cli
