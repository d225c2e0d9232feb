#include "cli/study/settings.h"

#include <fmt/format.h>

namespace bloomery::cli {
namespace {

Json or_null(const std::optional<std::uint64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

}  // namespace

Json to_json(const RunSettings& settings) {
  return {{"fpr", settings.fpr},
          {"hashes", or_null(settings.hashes)},
          {"kind", settings.kind},
          {"engine", settings.engine},
          {"strategy", settings.strategy},
          {"tasks", or_null(settings.tasks)},
          {"threads", or_null(settings.threads)}};
}

std::string spec_of(const Json& settings) {
  const Json& hashes = settings.at("hashes");
  return fmt::format("{}, p {}, k {}", settings.at("kind").get<std::string>(),
                     settings.at("fpr").get<double>(),
                     hashes.is_null() ? "optimal" : hashes.dump());
}

std::string to_text(const RunSettings& settings) {
  std::string text = settings.engine;
  if (settings.strategy != "none") text += ", " + settings.strategy;
  text += ", " + spec_of(to_json(settings));
  if (settings.tasks) text += fmt::format(", {} tasks", *settings.tasks);
  if (settings.threads) text += fmt::format(", {} threads", *settings.threads);
  return text;
}

std::vector<std::string> build_flags(const RunSettings& settings) {
  // The shortest text that reads back as the same rate.
  std::vector<std::string> flags{"--fpr",    fmt::format("{}", settings.fpr),
                                 "--kind",   settings.kind,
                                 "--engine", settings.engine};
  const auto add = [&](const char* flag, const std::optional<std::uint64_t>& number) {
    if (!number) return;
    flags.emplace_back(flag);
    flags.push_back(fmt::format("{}", *number));
  };
  add("--hashes", settings.hashes);
  add("--tasks", settings.tasks);
  add("--threads", settings.threads);
  if (settings.strategy != "none") {
    flags.emplace_back("--strategy");
    flags.push_back(settings.strategy);
  }
  return flags;
}

}  // namespace bloomery::cli
