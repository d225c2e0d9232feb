#include "cli/study/words.h"

#include <algorithm>
#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/frame/parse.h"

namespace bloomery::cli {

bool is_here(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// The words after "build" that are the same in every run, without files.
Words shared_words(const StudyPlan& plan) {
  Words words;
  if (!plan.key.empty()) words.insert(words.end(), {"--key", plan.key});
  if (!plan.group.empty()) words.insert(words.end(), {"--group", plan.group});
  words.insert(words.end(), plan.flags.begin(), plan.flags.end());
  return words;
}

Words engine_words(const StudyPlan& plan, const std::string& engine) {
  const auto known = plan.engine_flags.find(engine);
  return known == plan.engine_flags.end() ? Words() : known->second;
}

Words build_words(const StudyPlan& plan, const RunSettings& settings, const std::string& bank) {
  Words words = shared_words(plan);
  const Words of_engine = engine_words(plan, settings.engine);
  words.insert(words.end(), of_engine.begin(), of_engine.end());
  for (std::string& word : build_flags(settings)) words.push_back(std::move(word));
  words.insert(words.end(), {"-f", "-o", bank, "--json", "--no-progress", "--"});
  words.insert(words.end(), plan.inputs.begin(), plan.inputs.end());
  return words;
}

std::vector<PlanFlag> plan_flags(const StudyPlan& plan) {
  std::vector<Flag> all = build_command().flags;
  OutputOptions ignored;
  for (Flag& flag : common_flags(ignored)) all.push_back(std::move(flag));
  std::vector<PlanFlag> found;
  for (std::size_t i = 0; i < plan.flags.size(); ++i) {
    const std::string& word = plan.flags[i];
    const bool is_short = word.size() > 2 && word[0] == '-' && word[1] != '-';  // -p0.01
    const bool has_value = is_short || word.find('=') != std::string::npos;
    const std::string name = is_short ? word.substr(0, 2) : word.substr(0, word.find('='));
    const auto flag = std::ranges::find_if(all, [&](const Flag& each) {
      const auto names = names_of(each);
      return std::ranges::find(names, name) != names.end();
    });
    PlanFlag& piece = found.emplace_back();
    piece.words = {word};
    if (flag == all.end()) continue;
    piece.name = long_name(*flag);
    if (!flag->value.empty() && !has_value && i + 1 < plan.flags.size()) {
      piece.words.push_back(plan.flags[++i]);
    }
  }
  return found;
}

// Those of the plan's flags that verify has, too: how records are written, not what filters are.
Words verify_words(const StudyPlan& plan, const RunSettings& settings, const std::string& bank) {
  Words known;
  for (const Flag& flag : verify_command().flags) known.push_back(long_name(flag));
  Words words{"--json", "--no-progress"};
  for (const PlanFlag& flag : plan_flags(plan)) {
    if (std::ranges::find(known, flag.name) == known.end()) continue;
    words.insert(words.end(), flag.words.begin(), flag.words.end());
  }
  // What is on this machine is verified here: the bank is here, and any engine counts the same.
  if (!std::ranges::all_of(plan.inputs, is_here)) {
    const Words of_engine = engine_words(plan, settings.engine);
    words.insert(words.end(), {"--engine", settings.engine});
    words.insert(words.end(), of_engine.begin(), of_engine.end());
  }
  words.insert(words.end(), {"--", bank});
  words.insert(words.end(), plan.inputs.begin(), plan.inputs.end());
  return words;
}

}  // namespace bloomery::cli
