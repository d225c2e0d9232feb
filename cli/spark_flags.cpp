#include "cli/spark_flags.h"

#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "cli/values.h"

namespace bloomery::cli {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return value == nullptr ? std::string() : std::string(value);
}

constexpr std::string_view kMasters = "local[2], spark://HOST:7077, yarn or sc://HOST";

// Spark takes seconds to start before it says so.
bool is_master(std::string_view text) {
  for (const std::string_view start : {"local[", "local-cluster[", "spark://", "sc://", "k8s://"}) {
    if (text.starts_with(start)) return true;
  }
  return text == "local" || text == "yarn";
}

struct FoundPython {
  std::string path;
  std::string reason;
};

FoundPython find_python(const SparkFlags& flags) {
  if (!flags.python.empty()) return {flags.python, "--python"};
  if (auto named = variable("BLOOMERY_PYTHON"); !named.empty()) {
    return {std::move(named), "BLOOMERY_PYTHON"};
  }
  if (const auto active = variable("VIRTUAL_ENV"); !active.empty()) {
    return {active + "/bin/python", "VIRTUAL_ENV"};
  }
  return {"python3", "PATH"};
}

}  // namespace

std::vector<Flag> spark_flags(SparkFlags& flags) {
  constexpr const char* kSection = "Spark";
  return {
      {.names = "--master",
       .value = "URL",
       .help = "of Spark: local[2], spark://HOST:7077, yarn, sc://HOST",
       .section = kSection,
       .take = into(flags.master)},
      {.names = "--python",
       .value = "FILE",
       .help = "Python with bloomery and pyspark, for Spark",
       .fallback = "BLOOMERY_PYTHON, the active environment, python3",
       .section = kSection,
       .take = into(flags.python),
       .complete = Complete::kFile},
      {.names = "--spark-conf",
       .value = "NAME=TEXT",
       .help = "a setting of Spark",
       .section = kSection,
       .take = [&flags](const std::string& text) -> Result<void> {
         const std::size_t equals = text.find('=');
         if (equals == 0 || equals == std::string::npos) {
           return make_error(ErrorCode::kInvalidArgument,
                             "must be NAME=TEXT, as in spark.executor.memory=4g");
         }
         flags.conf[text.substr(0, equals)] = text.substr(equals + 1);
         return {};
       },
       .is_repeatable = true},
  };
}

const char* given_flag(const SparkFlags& flags) {
  if (!flags.master.empty()) return "--master";
  if (!flags.python.empty()) return "--python";
  return flags.conf.empty() ? nullptr : "--spark-conf";
}

Result<spark::SparkOptions> spark_options(const SparkFlags& flags,
                                          const std::optional<SecretKey>& secret,
                                          const Console& console) {
  if (flags.master.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "--engine spark: needs --master URL: {}",
                      kMasters);
  }
  if (!is_master(flags.master)) {
    return make_error(ErrorCode::kInvalidArgument, "--master {}: must be {}", escaped(flags.master),
                      kMasters);
  }
  const FoundPython found = find_python(flags);
  console.note("Spark jobs by " + printable_path(found.path) + " (" + found.reason + ")");
  spark::SparkOptions spark;
  spark.master = flags.master;
  spark.python = found.path;
  spark.conf = flags.conf;
  spark.secret = secret;
  spark.shows_log = console.is_verbose();
  return spark;
}

}  // namespace bloomery::cli
