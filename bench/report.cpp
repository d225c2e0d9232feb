#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace bloomery::bench {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string bound_text(const Target& target) {
  return fmt::format("{} {:g}", target.at_least ? "≥" : "≤", target.bound);
}

std::string verdict(const Row& row) {
  if (!row.target || !row.ratio) return "";
  if (row.target->met_by(*row.ratio)) return "met";
  return fmt::format("missed by {:.0f} %", std::abs(*row.ratio / row.target->bound - 1) * 100);
}

// Above 1: the target is missed.
double strain(const Row& row) {
  const double part = *row.ratio / row.target->bound;
  return row.target->at_least ? 1 / part : part;
}

std::string json_of(const Row& row) {
  std::string out =
      fmt::format("{{\"question\": {}, \"name\": {}, ", quoted(row.question), quoted(row.name));
  out += fmt::format("\"{}\": {:.4g}", row.unit, row.value);
  if (row.median > 0) out += fmt::format(", \"median\": {:.4g}", row.median);
  if (row.ratio) {
    out += fmt::format(", \"ratio\": {:.4g}, \"against\": {}", *row.ratio, quoted(row.against));
  }
  if (row.target && row.ratio) {
    out +=
        fmt::format(", \"target\": {:g}, \"target_is\": \"{}\", \"met\": {}", row.target->bound,
                    row.target->at_least ? "at least" : "at most", row.target->met_by(*row.ratio));
  }
  return out + "}";
}

}  // namespace

Report::Report(std::vector<Fact> facts) : facts_(std::move(facts)) {
  for (const Fact& fact : facts_) fmt::print("{:<12} {}\n", fact.name, fact.value);
}

void Report::begin(std::string question, std::string_view says) {
  question_ = std::move(question);
  fmt::print("\n{}: {}\n", question_, says);
}

void Report::add(std::string name, const Timing& timing) {
  add(Row{.question = {}, .name = std::move(name), .value = timing.best, .median = timing.median});
}

void Report::add(std::string name, const Timing& timing, double other, std::string against,
                 std::optional<Target> target) {
  add(Row{.question = {},
          .name = std::move(name),
          .value = timing.best,
          .median = timing.median,
          .ratio = timing.best / other,
          .against = std::move(against),
          .target = target});
}

void Report::add(Row row) {
  row.question = question_;
  std::string line = fmt::format("  {:<46} {:>9.4g} {}", row.name, row.value, row.unit);
  if (row.median > 0) line += fmt::format("  (median {:.4g})", row.median);
  if (row.ratio) line += fmt::format("  {:.3f} of {}", *row.ratio, row.against);
  if (row.target) line += fmt::format("  target {}: {}", bound_text(*row.target), verdict(row));
  fmt::print("{}\n", line);
  std::fflush(stdout);
  rows_.push_back(std::move(row));
}

void Report::note(std::string_view text) {
  fmt::print("  {}\n", text);
  notes_.push_back(fmt::format("{}: {}", question_, text));
}

void Report::print_targets() const {
  std::vector<const Row*> worst;
  for (const Row& row : rows_) {
    if (!row.target || !row.ratio) continue;
    const auto same = std::ranges::find_if(
        worst, [&](const Row* other) { return other->target->promise == row.target->promise; });
    if (same == worst.end()) {
      worst.push_back(&row);
    } else if (strain(row) > strain(**same)) {
      *same = &row;
    }
  }
  fmt::print("\n| promise | target | worst ratio | to | measured | |\n");
  fmt::print("|---|--:|--:|---|---|---|\n");
  for (const Row* row : worst) {
    fmt::print("| {} | {} | {:.3f} | {} | {:.4g} {} ({}) | {} |\n", row->target->promise,
               bound_text(*row->target), *row->ratio, row->against, row->value, row->unit,
               row->name, verdict(*row));
  }
}

std::string Report::json() const {
  std::string out = "{\n  \"machine\": {";
  for (const Fact& fact : facts_) {
    out += fmt::format("{}\n    {}: {}", &fact == facts_.data() ? "" : ",", quoted(fact.name),
                       quoted(fact.value));
  }
  out += "\n  },\n  \"notes\": [";
  for (const std::string& text : notes_) {
    out += fmt::format("{}\n    {}", &text == notes_.data() ? "" : ",", quoted(text));
  }
  out += "\n  ],\n  \"results\": [";
  for (const Row& row : rows_) {
    out += fmt::format("{}\n    {}", &row == rows_.data() ? "" : ",", json_of(row));
  }
  return out + "\n  ]\n}\n";
}

}  // namespace bloomery::bench
