#include "cli/frame/parse.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>

#include "base/error.h"
#include "cli/frame/help.h"
#include "cli/output/names.h"
#include "cli/values.h"
#include "parse/did_you_mean.h"

namespace bloomery::cli {
namespace {

template <typename... Args>
Error wrong(fmt::format_string<Args...> format, Args&&... args) {
  return make_error(ErrorCode::kInvalidArgument, format, std::forward<Args>(args)...);
}

// What was typed for one flag.
struct Typed {
  const Flag* flag = nullptr;
  std::vector<std::string> values;
  bool is_set = false;
};

const Flag* find_flag(const std::vector<Flag>& flags, std::string_view name) {
  for (const Flag& flag : flags) {
    const auto names = names_of(flag);
    if (std::ranges::find(names, name) != names.end()) return &flag;
  }
  return nullptr;
}

Error unknown_flag(const Command& command, const std::vector<Flag>& flags, std::string typed) {
  typed = typed.substr(0, typed.find('='));
  std::vector<std::string> known;
  for (const Flag& flag : flags) {
    for (std::string& name : names_of(flag)) known.push_back(std::move(name));
  }
  const std::string help = fmt::format(
      "; bloomery {} --help lists them, and -- goes before a name that begins with a dash",
      command.name);
  // One letter is near to every other.
  return wrong("{}: no such flag{}", escaped(typed),
               typed.starts_with("--") ? suggestion(typed, known, help) : help);
}

// CLI11 says "--fpr: 1 required RATE missing" and the like.
Error from_cli11(const std::vector<Flag>& flags, const CLI::ParseError& error) {
  const std::string what = error.what();
  const Flag* flag = find_flag(flags, what.substr(0, what.find(':')));
  if (flag != nullptr && !flag->value.empty()) {
    return wrong("{}: needs a value; write {} {}", long_name(*flag), long_name(*flag), flag->value);
  }
  for (const Flag& each : flags) {
    const std::string name = long_name(each);
    if (each.value.empty() && what.find(name) != std::string::npos) {
      return wrong("{}: takes no value; write {} alone", name, name);
    }
  }
  return wrong("{}; -h shows what can be written here", what);
}

// One positional takes all: which argument a word is for is decided afterwards, by the table.
Result<std::vector<std::string>> run_cli11(const Command& command, const std::vector<Flag>& flags,
                                           const std::vector<std::string>& typed,
                                           std::deque<Typed>& found) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<std::string> words;
  app.add_option("words", words)->expected(0, CLI::detail::expected_max_vector_size);
  for (const Flag& flag : flags) {
    Typed& slot = found.emplace_back();
    slot.flag = &flag;
    if (flag.value.empty()) {
      app.add_flag(flag.names, slot.is_set);
    } else {
      app.add_option(flag.names, slot.values)
          ->expected(1)
          ->allow_extra_args(false)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
  }
  try {
    app.parse(std::vector<std::string>(typed.rbegin(), typed.rend()));
  } catch (const CLI::ParseError& error) {
    return from_cli11(flags, error);
  }
  for (const std::string& extra : app.remaining()) {
    if (extra != "--") return unknown_flag(command, flags, extra);
  }
  return words;
}

// What is wrong with the values of one flag before anybody looks into them.
Result<void> check_values(const Typed& typed, const std::vector<Flag>& flags,
                          const std::vector<std::string>& words) {
  const Flag& flag = *typed.flag;
  const std::string name = long_name(flag);
  for (const std::string& value : typed.values) {
    if (value.empty()) {
      return wrong("{}: needs a value, and this one is empty; write {} {}", name, name, flag.value);
    }
    // As a word of its own it was meant as a flag; after an equals sign it is what it says.
    const bool is_word = std::ranges::find(words, value) != words.end();
    if (is_word && find_flag(flags, value) != nullptr) {
      return wrong("{}: needs a value, and {} is a flag; write {} {}, or {}={} if that is it", name,
                   value, name, flag.value, name, value);
    }
    if (!flag.is_repeatable && value != typed.values.front()) {
      return wrong("{} {}: {} is given, too; leave one of them out", name, escaped(value),
                   escaped(typed.values.front()));
    }
  }
  return {};
}

Result<void> take_flag(const Typed& typed) {
  const Flag& flag = *typed.flag;
  if (flag.value.empty()) return typed.is_set ? flag.take("") : Result<void>();
  if (flag.is_required && typed.values.empty()) {
    return wrong("{}: missing; write {} {}", long_name(flag), names_of(flag).front(), flag.value);
  }
  for (const std::string& value : typed.values) {
    if (!flag.choices.empty() && std::ranges::find(flag.choices, value) == flag.choices.end()) {
      return wrong("{} {}: must be {}{}", long_name(flag), escaped(value), one_of(flag.choices),
                   suggestion(value, flag.choices, ""));
    }
    if (const auto taken = flag.take(value); !taken) {
      return wrong("{} {}: {}", long_name(flag), escaped(value), taken.error().message);
    }
  }
  return {};
}

Result<void> check_exclusions(const std::deque<Typed>& found) {
  std::vector<std::string> given;
  for (const Typed& typed : found) {
    if (typed.is_set || !typed.values.empty()) given.push_back(long_name(*typed.flag));
  }
  for (const Typed& typed : found) {
    const std::string name = long_name(*typed.flag);
    if (std::ranges::find(given, name) == given.end()) continue;
    for (const std::string& other : typed.flag->excludes) {
      if (std::ranges::find(given, other) == given.end()) continue;
      return wrong("{} and {}: they exclude each other; leave one out", other, name);
    }
  }
  return {};
}

Result<void> take_words(const Command& command, const std::vector<std::string>& words) {
  std::size_t next = 0;
  for (const Argument& argument : command.arguments) {
    std::size_t taken = 0;
    for (; next < words.size() && taken < argument.max; ++next, ++taken) {
      const std::string& word = words[next];
      if (word.empty() && !argument.may_be_empty) {
        return wrong("{}: is empty; usage: {}", argument.name, usage(command));
      }
      const auto& choices = argument.choices;
      if (!choices.empty() && std::ranges::find(choices, word) == choices.end()) {
        return wrong("{}: must be {}{}", escaped(word), one_of(choices),
                     suggestion(word, choices, ""));
      }
      if (const auto result = argument.take(word); !result) {
        return wrong("{}: {}", escaped(word), result.error().message);
      }
    }
    if (taken < argument.min) {
      return wrong("{}: missing; usage: {}", argument.name, usage(command));
    }
  }
  if (next < words.size()) {
    return wrong("{}: one argument too many; usage: {}", escaped(words[next]), usage(command));
  }
  return {};
}

}  // namespace

std::vector<std::string> names_of(const Flag& flag) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  while (begin <= flag.names.size()) {
    const std::size_t end = std::min(flag.names.find(',', begin), flag.names.size());
    names.push_back(flag.names.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

std::string long_name(const Flag& flag) {
  return names_of(flag).back();
}

std::string suggestion(std::string_view typed, const std::vector<std::string>& known,
                       std::string_view otherwise) {
  const auto meant = did_you_mean(typed, known);
  return meant ? fmt::format("; did you mean {}?", escaped(*meant)) : std::string(otherwise);
}

std::string one_of(const std::vector<std::string>& choices) {
  if (choices.size() < 2) return fmt::format("{}", fmt::join(choices, ""));
  return fmt::format("{} or {}", fmt::join(choices.begin(), choices.end() - 1, ", "),
                     choices.back());
}

std::vector<Flag> common_flags(OutputOptions& options) {
  constexpr const char* kSection = "Output";
  const auto take_format = [&options](const std::string& text) -> Result<void> {
    options.format = text;
    options.is_format_given = true;
    return {};
  };
  const auto take_json = [&options](const std::string&) -> Result<void> {
    options.is_json = true;
    options.is_format_given = true;
    return {};
  };
  return {
      {.names = "--json",
       .help = "results as JSON, numbers unrounded (docs/schema)",
       .section = kSection,
       .take = take_json},
      {.names = "--format",
       .value = "FORMAT",
       .help = "form of the results: table, csv, tsv, json or md",
       .fallback = "table",
       .section = kSection,
       .choices = {kFormatNames.begin(), kFormatNames.end()},
       .take = take_format},
      {.names = "--color",
       .value = "WHEN",
       .help = "colours: auto, always or never",
       .fallback = "auto",
       .section = kSection,
       .choices = {"auto", "always", "never"},
       .take = into(options.color)},
      {.names = "-q,--quiet",
       .help = "no results but those of --json or --format, no notes",
       .section = kSection,
       .take = into(options.is_quiet)},
      {.names = "-v,--verbose",
       .help = "progress in lines where there is no terminal",
       .section = kSection,
       .take = into(options.is_verbose)},
      {.names = "--no-progress",
       .help = "no progress bar",
       .section = kSection,
       .take = into(options.no_progress)},
  };
}

Result<void> parse(const Command& command, const std::vector<std::string>& typed,
                   OutputOptions& output) {
  std::vector<Flag> flags = command.flags;
  for (Flag& flag : common_flags(output)) flags.push_back(std::move(flag));
  std::deque<Typed> found;
  const auto words = run_cli11(command, flags, typed, found);
  if (!words) return words.error();
  for (const Typed& each : found) {
    if (auto fine = check_values(each, flags, typed); !fine) return fine;
  }
  if (auto fine = check_exclusions(found); !fine) return fine;
  for (const Typed& each : found) {
    if (auto taken = take_flag(each); !taken) return taken;
  }
  return take_words(command, *words);
}

}  // namespace bloomery::cli
