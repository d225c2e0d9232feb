// What a command is: one table of flags, arguments and examples, and the function that runs it.
//
//   takes   nothing; each file of commands/ makes one
//   gives   the parser, -h, --help, the man page, completions and docs/cli.md, all from one place
//
// The table knows nothing of CLI11 and run() knows nothing of the table, so that a command can be
// read, tested and documented without either.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bloomery/result.h"

namespace bloomery::cli {

class Console;

// 0: done, or yes. 1: no (no key found, a gate failed). 2: error.
enum class ExitCode : std::uint8_t { kOk = 0, kNo = 1, kError = 2 };

// What a shell offers to complete.
enum class Complete : std::uint8_t { kNothing, kFile, kGroup, kCommand };

// Stores a value, or says why it cannot be: "must be above 0 and below 1".
using Take = std::function<Result<void>(const std::string&)>;

struct Flag {
  std::string names = {};                 // "-p,--fpr"
  std::string value = {};                 // what its value is called; empty for a switch
  std::string help = {};                  // one line
  std::string fallback = {};              // the default, as a user would type it
  std::string section = {};               // its heading in --help
  std::vector<std::string> choices = {};  // the only values there are
  Take take = {};
  Complete complete = Complete::kNothing;
  bool is_basic = false;  // shown by -h, too
  bool is_required = false;
  bool is_repeatable = false;              // may be given again, with another value
  std::vector<std::string> excludes = {};  // flags that cannot stand beside it: "--strict"
};

struct Argument {
  std::string name = {};  // "FILE"
  std::string help = {};
  std::size_t min = 1;
  std::size_t max = 1;  // of the last argument: SIZE_MAX for any number
  Take take = {};
  std::vector<std::string> choices = {};  // the only words there are
  Complete complete = Complete::kFile;
  bool may_be_empty = false;
};

struct Example {
  std::string what;
  std::string command;
};

struct Command {
  std::string name = {};                      // "build", "generate ratings"
  std::string summary = {};                   // one line
  std::vector<std::string> description = {};  // paragraphs
  std::vector<Argument> arguments = {};
  std::vector<Flag> flags = {};
  std::vector<Example> examples = {};
  std::vector<std::string> statuses = {};  // what 0, 1 and 2 mean; empty where 1 cannot be
  bool writes = false;  // leaves a file behind: a closed pipe must not end it half-way
  std::function<Result<ExitCode>(Console&)> run = {};
};

}  // namespace bloomery::cli
