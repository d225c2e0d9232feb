// bloomery: finds the command, has its flags parsed, runs it, and turns the outcome into a status.
//
// The only place that prints errors. 0: done or yes; 1: no; 2: error; after a signal the process
// ends by that signal.
#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): signals are POSIX

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "bloomery/kernel.h"
#include "cli/commands/commands.h"
#include "cli/frame/help.h"
#include "cli/frame/parse.h"
#include "cli/output/console.h"
#include "engines/hadoop/worker.h"

namespace bloomery::cli {
namespace {

using Words = std::vector<std::string>;

int status(ExitCode code) {
  return static_cast<int>(code);
}

// The command that the first words name, and those words removed.
Result<Command> choose(Words& words) {
  std::vector<std::string> known;
  std::vector<std::string> below;  // what may follow a first word such as "generate"
  for (Command& command : all_commands()) {
    const std::size_t space = command.name.find(' ');
    const std::string first = command.name.substr(0, space);
    if (space == std::string::npos && words[0] == first) {
      words.erase(words.begin());
      return std::move(command);
    }
    if (space != std::string::npos && words[0] == first) {
      below.push_back(command.name.substr(space + 1));
      if (words.size() > 1 && words[1] == below.back()) {
        words.erase(words.begin(), words.begin() + 2);
        return std::move(command);
      }
    }
    known.push_back(first);
  }
  if (below.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "{}: no such command{}", escaped(words[0]),
                      suggestion(words[0], known, "; bloomery help lists them"));
  }
  if (words.size() == 1) {
    return make_error(ErrorCode::kInvalidArgument, "{}: say what: {}", words[0], one_of(below));
  }
  return make_error(ErrorCode::kInvalidArgument, "{} {}: must be {}{}", words[0], escaped(words[1]),
                    one_of(below), suggestion(words[1], below, ""));
}

Result<void> choose_kernel() {
  const char* name = std::getenv("BLOOMERY_KERNEL");  // NOLINT(concurrency-mt-unsafe): one thread
  if (name == nullptr || *name == '\0') return {};
  for (const Kernel kernel : available_kernels()) {
    if (to_string(kernel) == name) return force_kernel(kernel);
  }
  return make_error(ErrorCode::kUnsupported,
                    "BLOOMERY_KERNEL={}: not on this machine; bloomery --version lists its kernels",
                    escaped(name));
}

bool is_asked_for(const Words& words, std::string_view flag) {
  const auto end = std::ranges::find(words, "--");
  return std::find(words.begin(), end, flag) != end;
}

// The library knows no flags.
Error with_flags(Error error) {
  constexpr auto kFlags = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"ask to overwrite it", "-f replaces it"},
       {"give it to ask this bank", "give it with --key-file FILE"},
       {"give the one it was built with", "give the one it was built with by --key-file FILE"}});
  for (const auto& [advice, flag] : kFlags) {
    const std::size_t at = error.message.rfind(advice);
    if (at != std::string::npos) error.message.replace(at, advice.size(), flag);
  }
  return error;
}

int finish(Console& console, const Result<ExitCode>& outcome) {
  if (!outcome) {
    console.out().flush();
    console.fail(with_flags(outcome.error()));
    return status(ExitCode::kError);
  }
  if (const auto finished = console.out().finish(); !finished) {
    console.fail(finished.error());
    return status(ExitCode::kError);
  }
  return status(*outcome);
}

int run_command(const Command& command, const Words& words) {
  OutputOptions output;
  const bool wants_help = is_asked_for(words, "--help");
  if (wants_help || is_asked_for(words, "-h")) {
    Console console(command.name, output);
    console.out().put(wants_help ? long_help(command) : short_help(command));
    return finish(console, ExitCode::kOk);
  }
  const auto parsed = parse(command, words, output);
  Console console(command.name, output);
  if (!parsed) return finish(console, parsed.error());
  // A writer that dies of a closed pipe would leave its work half done, and so would one that dies
  // of a limit on file sizes instead of hearing of it.
  ::signal(SIGPIPE, command.writes ? SIG_IGN : SIG_DFL);
  ::signal(SIGXFSZ, SIG_IGN);
  if (const auto chosen = choose_kernel(); !chosen) return finish(console, chosen.error());
  return finish(console, command.run(console));
}

int run(Words words) {
  if (!words.empty() && (words[0] == "--version" || words[0] == "-V")) words[0] = "version";
  Console console("", {});
  if (words.empty() || words[0] == "-h" || words[0] == "--help") {
    const bool is_asked = !words.empty();
    Writer error(STDERR_FILENO, "standard error");
    (is_asked ? console.out() : error).put(overview(all_commands()));
    error.flush();
    return finish(console, is_asked ? ExitCode::kOk : ExitCode::kError);
  }
  // Not for people, so no help speaks of it.
  if (words.size() == 2 && words[0] == "worker" && (words[1] == "map" || words[1] == "reduce")) {
    return hadoop::run_worker(words[1]);
  }
  const auto command = choose(words);
  if (!command) return finish(console, command.error());
  return run_command(*command, words);
}

}  // namespace
}  // namespace bloomery::cli

int main(int argc, char** argv) {
  try {
    return bloomery::cli::run({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "bloomery: out of memory; try a smaller --memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "bloomery: {}\n", error.what());
  }
  return 2;
}
