#include "cli/study/identity.h"

#include <fmt/format.h>

#include <map>
#include <random>
#include <set>
#include <tuple>

#include "base/checksum.h"
#include "base/mapped_file.h"
#include "cli/output/numbers.h"
#include "cli/sha256.h"
#include "cli/study/words.h"

namespace bloomery::cli {
namespace {

Json input_json(const std::string& path) {
  Json entry = Json::object();
  put_bytes(entry, "name", path);
  const auto mapped = MappedFile::open(path);
  entry["bytes"] = mapped ? Json(mapped->bytes().size()) : Json(nullptr);
  // By its bytes, not by its time: a table that was made again is the same data, and one that was
  // changed is not, though it may be as long as it was.
  entry["checksum"] = mapped ? Json(checksum64(mapped->bytes())) : Json(nullptr);
  return entry;
}

}  // namespace

std::string plan_digest(const StudyPlan& plan) {
  Json inputs = Json::array();
  for (const std::string& input : plan.inputs) inputs.push_back(input_json(input));
  // Another secret makes other banks, though its file may have the same name.
  for (const PlanFlag& flag : plan_flags(plan)) {
    if (flag.name == "--key-file") inputs.push_back(input_json(flag.value()));
  }
  return sha256_hex(to_line({{"inputs", std::move(inputs)}, {"words", shared_words(plan)}}, true));
}

bool is_of_plan(const Json& line, const StudyPlan& plan, const std::string& digest) {
  return line.at("plan") == digest &&
         line.value("engine_flags", Json::array()) ==
             Json(engine_words(plan, line.at("settings").at("engine")));
}

std::vector<StudyRun> pending_runs(const StudyPlan& plan, const std::string& digest,
                                   const std::vector<Json>& lines) {
  std::set<std::pair<std::string, std::uint64_t>> recorded;
  for (const Json& line : lines) {
    if (!is_of_plan(line, plan, digest)) continue;
    recorded.emplace(sorted_text(line.at("settings")), line.at("repetition").get<std::uint64_t>());
  }
  std::vector<StudyRun> runs;
  for (const PlannedRun& planned : plan.runs) {
    for (std::uint64_t i = 1; i <= planned.repetitions; ++i) runs.push_back({&planned, i});
  }
  // Fisher and Yates by hand: what std::shuffle does differs between libraries.
  std::mt19937_64 random(plan.seed);
  for (std::size_t i = runs.size(); i > 1; --i) std::swap(runs[i - 1], runs[random() % i]);
  if (recorded.empty()) return runs;
  std::erase_if(runs, [&](const StudyRun& run) {
    return recorded.contains({sorted_text(to_json(run.planned->settings)), run.repetition});
  });
  return runs;
}

std::string run_identity(const Json& line) {
  Json facts = Json::array();
  // Two may start within one second, but do not take the same nanoseconds.
  for (const char* name : {"plan", "settings", "repetition", "started", "wall_seconds",
                           "cpu_seconds", "bank_sha256"}) {
    facts.push_back(line.value(name, Json()));
  }
  return sorted_text(facts);
}

std::vector<std::string> disagreements(const std::vector<Json>& lines) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::uint64_t>> banks;
  for (const Json& line : lines) {
    ++banks[{line.at("plan"), spec_of(line.at("settings"))}][line.at("bank_sha256")];
  }
  std::vector<std::string> found;
  for (const auto& [spec, digests] : banks) {
    if (digests.size() < 2) continue;
    std::string text = fmt::format("{}: {} different banks:", spec.second, digests.size());
    for (const auto& [digest, runs] : digests) {
      text += fmt::format(" {:.12}… in {}", digest, counted(runs, "run"));
    }
    found.push_back(std::move(text));
  }
  return found;
}

}  // namespace bloomery::cli
