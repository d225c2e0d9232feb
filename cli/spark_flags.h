// The flags that say where Spark is, and which Python starts it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/result.h"
#include "cli/command.h"
#include "cli/output/console.h"
#include "engines/spark/engine.h"

namespace bloomery::cli {

struct SparkFlags {
  std::string master;
  std::string python;
  std::map<std::string, std::string> conf;
};

// --master, --python, --spark-conf.
[[nodiscard]] std::vector<Flag> spark_flags(SparkFlags& flags);

// The first of these flags that was given; null where none was.
[[nodiscard]] const char* given_flag(const SparkFlags& flags);

// What the Spark engine needs; finds the Python and says which it is. Fails without a master.
Result<spark::SparkOptions> spark_options(const SparkFlags& flags,
                                          const std::optional<SecretKey>& secret,
                                          const Console& console);

}  // namespace bloomery::cli
