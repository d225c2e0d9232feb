// A bank wherever it lies: here, or where Hadoop's client can read it.
//
//   takes   a path, or an address as hdfs://host/path
//   gives   a path on this machine, good while the object lives
#pragma once

#include <optional>
#include <string>

#include "bloomery/result.h"
#include "engines/hadoop/session.h"

namespace bloomery::cli {

class BankFile {
 public:
  // Copies what is far into a folder of its own below `tmp`.
  static Result<BankFile> fetch(const std::string& address, const std::string& classpath,
                                const std::string& tmp = "/tmp");

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  // The error with the address in it where it names the copy.
  [[nodiscard]] Error named(Error error) const;

 private:
  std::string address_;
  std::string path_;
  std::optional<hadoop::LocalFolder> folder_;
};

}  // namespace bloomery::cli
