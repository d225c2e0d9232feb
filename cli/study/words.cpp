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

// Those of the plan's flags that verify has, too: how records are written, not what filters are.
Words verify_words(const StudyPlan& plan, const RunSettings& settings, const std::string& bank) {
  const std::vector<Flag> known = verify_command().flags;
  const std::vector<Flag> all = build_command().flags;
  const auto find = [](const std::vector<Flag>& flags, const std::string& word) {
    return std::ranges::find_if(flags, [&](const Flag& flag) {
      const auto names = names_of(flag);
      return std::ranges::find(names, word.substr(0, word.find('='))) != names.end();
    });
  };
  Words words{"--json", "--no-progress"};
  for (std::size_t i = 0; i < plan.flags.size(); ++i) {
    const std::string& word = plan.flags[i];
    const auto flag = find(all, word);
    const bool has_value =
        flag != all.end() && !flag->value.empty() && word.find('=') == std::string::npos;
    const bool is_wanted = find(known, word) != known.end();
    if (is_wanted) words.push_back(word);
    if (has_value && ++i < plan.flags.size() && is_wanted) words.push_back(plan.flags[i]);
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
