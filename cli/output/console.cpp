#include "cli/output/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "cli/output/names.h"

namespace bloomery::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool can_move_cursor(int descriptor) {
  return ::isatty(descriptor) == 1 && environment("TERM") != "dumb";
}

Format format_of(const OutputOptions& options) {
  if (options.is_json) return Format::kJson;
  const auto* const found = std::ranges::find(kFormatNames, options.format);
  return static_cast<Format>(found - kFormatNames.begin());
}

}  // namespace

Console::Console(std::string command, const OutputOptions& options)
    : command_(std::move(command)),
      options_(options),
      format_(format_of(options)),
      is_terminal_(::isatty(STDOUT_FILENO) == 1),
      out_(STDOUT_FILENO, "standard output") {}

bool Console::is_colored(int descriptor) const {
  if (options_.color != "auto") return options_.color == "always";
  return can_move_cursor(descriptor) && environment("NO_COLOR").empty();
}

bool Console::shows_progress() const noexcept {
  return !options_.no_progress && !options_.is_quiet && can_move_cursor(STDERR_FILENO);
}

void Console::print_lines(const std::vector<Report::Line>& lines) {
  std::size_t width = 0;
  for (const auto& line : lines) width = std::max(width, line.label.size());
  for (const auto& line : lines) {
    std::string text = fmt::format("{:<{}}  {}", line.label, width, line.text);
    text.erase(text.find_last_not_of(' ') + 1);
    out_.put(text + "\n");
  }
}

void Console::print(const Report& report) {
  if (!shows_results()) return;
  if (is_json()) {
    Json document = Json::object();
    std::string name = command_;
    std::ranges::replace(name, ' ', '-');
    document["schema"] = fmt::format("bloomery/{}/1", name);
    document.update(report.document);
    for (const Table& table : report.tables) document[table.name] = to_json(table);
    print_line(document);
    return;
  }
  if (format_ != Format::kTable) {
    if (!report.tables.empty()) out_.put(to_text(report.tables.front(), format_, false));
    return;
  }
  print_lines(report.head);
  for (const Table& table : report.tables) {
    if (table.rows.empty()) continue;
    if (!report.head.empty() || &table != &report.tables.front()) out_.put("\n");
    out_.put(to_text(table, format_, is_colored(STDOUT_FILENO)));
  }
  if (!report.foot.empty()) out_.put("\n");
  print_lines(report.foot);
}

void Console::print_line(const Json& value) {
  out_.put(to_line(value, is_terminal_));
}

void Console::say(std::string_view kind, std::string_view color, std::string_view text) const {
  std::string line = "bloomery";
  if (!command_.empty()) line += " " + command_;
  line += ": ";
  const bool has_color = !kind.empty() && is_colored(STDERR_FILENO);
  if (has_color) line += color;
  line += kind;
  if (has_color) line += "\x1b[0m";
  line += std::string(text) + "\n";
  Writer error(STDERR_FILENO, "standard error");
  error.put(line);
  error.flush();
}

void Console::warn(std::string_view text) const {
  say("warning: ", "\x1b[33m", text);
}

void Console::note(std::string_view text) const {
  if (!options_.is_quiet) say("", "", text);
}

void Console::fail(const Error& error) const {
  say("", "", error.message);
}

}  // namespace bloomery::cli
