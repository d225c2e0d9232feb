// The site's own Hadoop client: the way to everything that lies on the cluster.
//
//   takes   words that start it, and paths of whatever file systems it knows
//   gives   files listed, fetched, put, moved and removed
//
// High availability, Kerberos and object stores work as the site has set them up, because nothing
// here knows of them. Each call starts a Java, a second or two.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bloomery/result.h"
#include "engines/hadoop/child_process.h"

namespace bloomery::hadoop {

using Words = std::vector<std::string>;

// How Hadoop is started: words to which arguments are added.
struct ClientCommands {
  Words fs;           // hadoop fs
  Words streaming;    // hadoop jar .../hadoop-streaming.jar
  Words run_class;    // hadoop CLASS
  std::string found;  // "/opt/hadoop/bin/hadoop, on PATH"
};

struct RemoteFile {
  std::string path;  // as the client names it
  std::uint64_t size = 0;
  bool is_folder = false;
};

class Client {
 public:
  explicit Client(ClientCommands commands, const std::atomic<bool>* is_cancelled = nullptr)
      : commands_(std::move(commands)), is_cancelled_(is_cancelled) {}

  [[nodiscard]] const ClientCommands& commands() const noexcept { return commands_; }

  // What the paths and patterns name. Fails for one that names nothing.
  Result<std::vector<RemoteFile>> list(const Words& paths) const;
  Result<bool> exists(const std::string& path) const;
  // The first bytes; decompressed where `is_text`.
  Result<std::string> head(const std::string& path, std::size_t bytes, bool is_text) const;
  // Gives the whole file, piece by piece.
  Result<void> stream(const std::string& path,
                      const std::function<void(std::string_view)>& take) const;
  Result<void> get(const std::string& remote, const std::string& local) const;
  // A file or a folder with all that is in it.
  Result<void> put(const std::string& local, const std::string& remote) const;
  Result<void> move(const std::string& from, const std::string& to) const;
  Result<void> make_folder(const std::string& path) const;
  // Never a folder.
  Result<void> remove_file(const std::string& path) const;
  // For what is ours alone; never cancelled.
  Result<void> remove_tree(const std::string& path) const;
  // Any other main class.
  Result<ChildResult> run_class(const Words& words, bool may_be_cancelled = true) const;

 private:
  Result<ChildResult> fs(const Words& arguments) const;
  Result<void> must(const Words& arguments, std::string_view what) const;

  ClientCommands commands_;
  const std::atomic<bool>* is_cancelled_;
};

// The lines of what a client printed, without their ends.
void each_line(std::string_view text, const std::function<void(std::string_view)>& use);

// The error that a client's last words say, without what every Java says first.
[[nodiscard]] std::string last_words(std::string_view errors);

}  // namespace bloomery::hadoop
