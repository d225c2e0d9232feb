#include "cli/report/origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "cli/output/numbers.h"

namespace bloomery::cli {
namespace {

using Fields = std::vector<std::string>;
using Varies = std::vector<bool>;

Json at(const Json& document, const char* outer, const char* inner) {
  const Json part = document.value(outer, Json::object());
  return part.is_object() ? part.value(inner, Json(nullptr)) : Json(nullptr);
}

std::string text_at(const Json& document, const char* outer, const char* inner) {
  const Json value = at(document, outer, inner);
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

std::string with(const char* format, const std::string& value) {
  return value.empty() ? "" : fmt::format(fmt::runtime(format), value);
}

// Of any line that has a machine and versions under `program`.
Fields machine_fields(const Json& line, const char* program, const char* version) {
  const Json memory = at(line, "machine", "memory");
  return {text_at(line, "machine", "processor"),
          with("{} threads", text_at(line, "machine", "threads")),
          memory.is_number_unsigned() ? size_text(memory) : "",
          text_at(line, "machine", "kernel"),
          text_at(line, "machine", "system"),
          with("bloomery {}", text_at(line, program, version)),
          text_at(line, program, "commit"),
          text_at(line, program, "compiler")};
}

// What an engine was told and found; nothing that runs on threads have.
Fields engine_fields(const Json& run) {
  const Json cluster = run.value("cluster", Json(nullptr));
  std::string flags;
  for (const Json& word : run.value("engine_flags", Json::array())) {
    if (word.is_string()) flags += (flags.empty() ? "" : " ") + word.get<std::string>();
  }
  return {cluster.is_string() ? cluster.get<std::string>() : "", flags};
}

Varies varies_in(const std::vector<Fields>& all) {
  Varies varies(all.empty() ? 0 : all.front().size());
  for (const Fields& fields : all) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i] != all.front()[i]) varies[i] = true;
    }
  }
  return varies;
}

void add(std::string& text, const std::string& field) {
  if (!field.empty()) text += (text.empty() ? "" : ", ") + escaped(field, SIZE_MAX);
}

void add_varying(std::string& text, const Fields& fields, const Varies& varies) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (varies[i]) add(text, fields[i]);
  }
}

std::string inputs_text(const Json& run) {
  std::string text;
  for (const Json& input : run.value("inputs", Json::array())) {
    if (input.is_object()) add(text, bytes_cell(input, "name").shown);
  }
  return text;
}

}  // namespace

std::string distinct(std::set<std::string>& seen, const std::string& label) {
  if (seen.insert(label).second) return label;
  for (std::size_t number = 2;; ++number) {
    std::string text = fmt::format("{} ({})", label, number);
    if (seen.insert(text).second) return text;
  }
}

Origins::Origins(const Facts& facts) {
  name_plans(facts);
  std::vector<Fields> machines;
  std::map<std::string, std::vector<Fields>> engines;
  for (const Json& run : facts.runs) {
    machines.push_back(machine_fields(run, "versions", "bloomery"));
    engines[run.at("settings").at("engine")].push_back(engine_fields(run));
  }
  varies_ = varies_in(machines);
  for (const auto& [engine, fields] : engines) engines_[engine] = varies_in(fields);

  std::vector<Fields> programs;
  for (const Json& bench : facts.benches) {
    programs.push_back(machine_fields(bench, "program", "version"));
    const Json fpr = bench.value("fpr", Json(nullptr));
    programs.back().push_back(fpr.is_number() ? fmt::format("p {}", fpr.get<double>()) : "");
  }
  const Varies varies = varies_in(programs);
  std::set<std::string> seen;
  for (const Fields& fields : programs) {
    std::string text;
    add_varying(text, fields, varies);
    if (programs.size() > 1 && text.empty()) text = "bench";
    benches_.push_back(programs.size() > 1 ? distinct(seen, text) : text);
  }
}

// By title, else by files, else by digest: whatever tells them apart.
void Origins::name_plans(const Facts& facts) {
  std::map<std::string, const Json*> plans;
  for (const Json& run : facts.runs) plans.try_emplace(run.at("plan"), &run);
  if (plans.size() < 2) return;
  const std::vector<std::function<std::string(const Json&)>> ways{
      [](const Json& run) { return run.value("title", ""); }, inputs_text,
      [](const Json& run) { return fmt::format("plan {:.6}", run.at("plan").get<std::string>()); },
      [](const Json& run) { return run.at("plan").get<std::string>(); }};
  for (const auto& way : ways) {
    std::set<std::string> names;
    for (const auto& [plan, run] : plans) names.insert(way(*run));
    if (names.size() < plans.size() || names.contains("")) continue;
    for (const auto& [plan, run] : plans) plans_[plan] = escaped(way(*run), SIZE_MAX);
    return;
  }
}

std::string Origins::of_plan(const std::string& plan) const {
  const auto known = plans_.find(plan);
  return known == plans_.end() ? std::string() : known->second;
}

std::string Origins::of_run(const Json& run) const {
  std::string text = of_plan(run.at("plan"));
  add_varying(text, machine_fields(run, "versions", "bloomery"), varies_);
  add_varying(text, engine_fields(run), engines_.at(run.at("settings").at("engine")));
  return text;
}

}  // namespace bloomery::cli
