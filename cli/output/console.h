// Where a command's words go: results to standard output, talk to standard error.
//
// Each stream is looked at alone: colours and the progress bar appear only on terminals, and never
// with NO_COLOR or TERM=dumb unless --color always asks for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/output/table.h"
#include "cli/output/writer.h"

namespace bloomery::cli {

// What the flags say that all commands have.
struct OutputOptions {
  std::string format = "table";
  bool is_format_given = false;
  bool is_json = false;
  std::string color = "auto";
  bool is_quiet = false;
  bool is_verbose = false;
  bool no_progress = false;
};

// What a command has to say when it is done.
struct Report {
  struct Line {
    std::string label;
    std::string text;
  };
  Json document = Json::object();  // --json: these members, then the tables
  std::vector<Line> head = {};     // --format table: these lines,
  std::vector<Table> tables = {};  // then the tables; other formats: the first table alone,
  std::vector<Line> foot = {};     // then these
};

class Console {
 public:
  Console(std::string command, const OutputOptions& options);

  // Results.
  [[nodiscard]] Writer& out() noexcept { return out_; }
  void print(const Report& report);
  // A line of JSON on standard output.
  void print_line(const Json& value);

  // Talk, prefixed with program and command.
  void warn(std::string_view text) const;
  void note(std::string_view text) const;  // left out by -q
  void fail(const Error& error) const;

  [[nodiscard]] Format format() const noexcept { return format_; }
  [[nodiscard]] bool is_json() const noexcept { return format_ == Format::kJson; }
  // Not with -q alone; a form that was asked for is wanted all the same.
  [[nodiscard]] bool shows_results() const noexcept {
    return !options_.is_quiet || options_.is_format_given;
  }
  [[nodiscard]] bool is_format_given() const noexcept { return options_.is_format_given; }
  [[nodiscard]] bool is_terminal() const noexcept { return is_terminal_; }
  [[nodiscard]] bool shows_progress() const noexcept;
  [[nodiscard]] bool is_verbose() const noexcept { return options_.is_verbose; }
  [[nodiscard]] const std::string& command() const noexcept { return command_; }

 private:
  void print_lines(const std::vector<Report::Line>& lines);
  void say(std::string_view kind, std::string_view color, std::string_view text) const;
  [[nodiscard]] bool is_colored(int descriptor) const;

  std::string command_;
  OutputOptions options_;
  Format format_;
  bool is_terminal_;
  Writer out_;
};

}  // namespace bloomery::cli
