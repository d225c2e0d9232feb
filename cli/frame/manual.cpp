// Manual pages and docs/cli.md.
#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "bloomery/version.h"
#include "cli/frame/help.h"
#include "cli/frame/parse.h"

namespace bloomery::cli {

std::string page_name(std::string command) {
  for (char& c : command) c = c == ' ' ? '-' : c;
  return command.empty() ? "bloomery" : "bloomery-" + command;
}

namespace {

// Text that roff prints as it is.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string page_head(const std::string& name, const std::string& summary) {
  return fmt::format(".TH {} 1 \"\" \"bloomery {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                     roff(page_name(name)), BLOOMERY_VERSION, roff(page_name(name)), roff(summary));
}

std::string environment_section() {
  return fmt::format(
      ".SH ENVIRONMENT\n"
      ".TP\n.B NO_COLOR\n{}\n.TP\n.B TERM\n{}\n.TP\n.B BLOOMERY_KERNEL\n{}\n",
      roff("Not empty: no colours, unless --color always is given."),
      roff("dumb: no colours and no progress bar."),
      roff("scalar, avx2 or avx512: the instructions to use instead of the fastest. The bits are "
           "the same."));
}

std::string anchor_of(std::string name) {
  for (char& c : name) c = c == ' ' ? '-' : c;
  return name;
}

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\\');
  }
  return text;
}

void add_flag_table(std::string& out, const Section& section) {
  out += fmt::format("\n{}:\n\n| flag | meaning | default |\n|---|---|---|\n", section.name);
  for (const Flag& flag : section.flags) {
    out += fmt::format("| `{}` | {} | {} |\n", cell(synopsis(flag)), cell(help_line(flag)),
                       flag.fallback.empty() ? "" : fmt::format("`{}`", flag.fallback));
  }
}

void add_command(std::string& out, const Command& command) {
  out += fmt::format("\n## {}\n\n{}\n\n```text\n{}\n```\n", command.name, command.summary,
                     usage(command));
  for (const std::string& paragraph : command.description) out += "\n" + paragraph + "\n";
  if (!command.arguments.empty()) {
    out += "\n";
    for (const Argument& argument : command.arguments) {
      out += fmt::format("- `{}`: {}\n", argument.name, argument.help);
    }
  }
  for (const Section& section : sections(command)) {
    if (section.name != "Output") add_flag_table(out, section);
  }
  for (std::size_t i = 0; i < command.statuses.size(); ++i) {
    if (command.statuses[i].empty()) continue;
    out += fmt::format("{}Exit status {}: {}.\n", i == 0 ? "\n" : "", i, command.statuses[i]);
  }
  out += "\n```sh\n";
  for (const Example& example : command.examples) {
    out += fmt::format("# {}\n{}\n", example.what, example.command);
  }
  out += "```\n";
}

}  // namespace

std::string manual_page(const Command& command) {
  std::string out = page_head(command.name, command.summary);
  out += ".SH SYNOPSIS\n" + roff(usage(command)) + "\n";
  out += ".SH DESCRIPTION\n" + roff(command.summary) + ".\n";
  for (const std::string& paragraph : command.description) out += ".PP\n" + roff(paragraph) + "\n";
  for (const Argument& argument : command.arguments) {
    out += fmt::format(".TP\n.I {}\n{}\n", roff(argument.name), roff(argument.help));
  }
  out += ".SH OPTIONS\n";
  for (const Section& section : sections(command)) {
    out += fmt::format(".SS {}\n", roff(section.name));
    for (const Flag& flag : section.flags) {
      out += fmt::format(".TP\n.B {}\n{}\n", roff(synopsis(flag)), roff(help_text(flag)));
    }
  }
  out += ".SH EXAMPLES\n";
  for (const Example& example : command.examples) {
    out += fmt::format(".TP\n{}\n.nf\n.B {}\n.fi\n", roff(example.what), roff(example.command));
  }
  if (!command.statuses.empty()) out += ".SH EXIT STATUS\n";
  for (std::size_t i = 0; i < command.statuses.size(); ++i) {
    if (command.statuses[i].empty()) continue;
    out += fmt::format(".TP\n.B {}\n{}\n", i, roff(command.statuses[i]));
  }
  return out + environment_section();
}

std::string manual_overview(const std::vector<Command>& commands) {
  std::string out = page_head("", "banks of Bloom filters, one per group of your data");
  out += ".SH SYNOPSIS\n.B bloomery\n.I COMMAND\n[ARGUMENT...] [FLAG...]\n.SH COMMANDS\n";
  for (const Command& command : commands) {
    out +=
        fmt::format(".TP\n.BR {} (1)\n{}\n", roff(page_name(command.name)), roff(command.summary));
  }
  return out + environment_section();
}

std::string markdown_manual(const std::vector<Command>& commands) {
  std::string out =
      "# The command line\n\n"
      "Written by `bloomery help --format md` from the tables that the parser uses; do not edit "
      "it. "
      "The examples run from top to bottom in one folder, and the tests run them, on this "
      "table:\n\n"
      "```sh\nbloomery generate ratings --factor 0.01 -o ratings.tsv\n```\n\n"
      "| command | what it does |\n|---|---|\n";
  for (const Command& command : commands) {
    out += fmt::format("| [{}](#{}) | {} |\n", command.name, anchor_of(command.name),
                       cell(command.summary));
  }
  out +=
      "\nResults go to standard output, everything else to standard error. Exit status 0 means "
      "done or yes, 1 means no, 2 means an error. `-` is standard input. Nothing is overwritten "
      "without `-f`.\n\nEvery command has these flags:\n";
  add_flag_table(out, sections(Command{}).back());
  for (const Command& command : commands) add_command(out, command);
  return out;
}

}  // namespace bloomery::cli
