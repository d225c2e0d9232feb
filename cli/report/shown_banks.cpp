#include "cli/report/shown_banks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "cli/report/origins.h"
#include "cli/report/points.h"
#include "cli/study/settings.h"

namespace bloomery::cli {
namespace {

std::string file_label(const Json& document, const std::string& name) {
  return escaped(bytes_cell(document, name).shown);
}

// One of each bank that runs made, though they may have been run on many machines; the verified
// one where there is one. Runs of one spec with different banks are an error of its own, and each
// of them is shown.
std::vector<ShownBank> studied_banks(const Facts& facts) {
  const Origins origins(facts);
  std::map<std::tuple<std::string, std::string, std::string>, const Json*> banks;
  std::map<std::pair<std::string, std::string>, std::size_t> of_spec;
  for (const Json& run : facts.runs) {
    if (run.at("groups").is_null()) continue;
    const std::string spec = spec_of(run.at("settings"));
    const auto [known, is_new] =
        banks.try_emplace({run.at("plan"), spec, run.at("bank_sha256")}, &run);
    if (is_new) ++of_spec[{run.at("plan"), spec}];
    if (known->second->at("verify_seconds").is_null()) known->second = &run;
  }
  std::vector<ShownBank> found;
  for (const auto& [key, run] : banks) {
    const auto& [plan, spec, digest] = key;
    std::string label = spec;
    if (const std::string data = origins.of_plan(plan); !data.empty()) label += ", " + data;
    if (of_spec[{plan, spec}] > 1) label += fmt::format(", bank {:.8}", digest);
    const Json& settings = run->at("settings");
    found.push_back(
        {label, settings.at("kind"), value_text(settings, "hashes"), &run->at("groups")});
  }
  return found;
}

}  // namespace

std::vector<ShownBank> built_banks(const Facts& facts) {
  std::vector<ShownBank> banks = studied_banks(facts);
  std::set<std::string> seen;
  for (const Json& build : facts.builds) {
    if (build.contains("dry_run")) continue;
    const Json& groups = build.at("groups");
    // Documents of earlier versions do not say.
    const std::string kind = groups.empty() ? "" : groups.front().value("kind", "");
    banks.push_back({distinct(seen, file_label(build, "output")), kind, "", &groups});
  }
  // By kind, rate and number of hashes, files last.
  const auto order = [](const ShownBank& bank) {
    const bool is_empty = bank.groups->empty();
    return std::tuple(bank.hashes.empty(), bank.kind,
                      is_empty ? 0.0 : bank.groups->front().at("fpr").get<double>(), bank.label);
  };
  std::ranges::stable_sort(banks, {}, order);
  return banks;
}

std::vector<ShownBank> verified_banks(const Facts& facts) {
  std::vector<ShownBank> banks = built_banks(facts);
  std::erase_if(banks, [](const ShownBank& bank) {
    return bank.groups->empty() || !bank.groups->front().contains("false_positives");
  });
  std::set<std::string> seen;
  for (const Json& verify : facts.verifies) {
    banks.push_back({distinct(seen, file_label(verify, "bank")), "", "", &verify.at("groups")});
  }
  return banks;
}

}  // namespace bloomery::cli
