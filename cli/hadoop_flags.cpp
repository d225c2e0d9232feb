#include "cli/hadoop_flags.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "cli/machine.h"
#include "cli/values.h"
#include "engines/hadoop/route.h"
#include "engines/hadoop/worker_job.h"

namespace bloomery::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHadoop = "Hadoop";

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? std::string() : std::string(value);
}

// The streaming jar in the places where distributions have it, seen from the folder of bin/hadoop.
std::string find_streaming_jar(const fs::path& home) {
  for (const char* folder :
       {"share/hadoop/tools/lib", "tools/lib", "../hadoop-mapreduce", "../lib/hadoop-mapreduce",
        "lib/hadoop-mapreduce", "contrib/streaming"}) {
    std::error_code error;
    std::vector<std::string> jars;
    for (const auto& entry : fs::directory_iterator(home / folder, error)) {
      const std::string name = entry.path().filename().string();
      const bool is_jar = name.starts_with("hadoop-streaming") && name.ends_with(".jar") &&
                          name.find("sources") == std::string::npos &&
                          name.find("test") == std::string::npos;
      if (is_jar) jars.push_back(entry.path().string());
    }
    if (!jars.empty()) return *std::ranges::min_element(jars);
  }
  return {};
}

Result<hadoop::ClientCommands> by_classpath(const std::string& classpath) {
  const std::string home = from_environment("JAVA_HOME");
  const std::string java = home.empty() ? find_program("java") : home + "/bin/java";
  if (java.empty()) {
    return make_error(ErrorCode::kNotFound,
                      "--hadoop-classpath: needs java, on PATH or in JAVA_HOME");
  }
  const hadoop::Words run{java,  "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                          "-cp", classpath};
  hadoop::ClientCommands commands{run, run, run, fmt::format("{} with --hadoop-classpath", java)};
  commands.fs.emplace_back("org.apache.hadoop.fs.FsShell");
  commands.streaming.emplace_back("org.apache.hadoop.streaming.HadoopStreaming");
  return commands;
}

Result<hadoop::ClientCommands> by_program(const std::string& program, const std::string& how) {
  std::error_code error;
  const fs::path real = fs::canonical(program, error);
  std::string jar;
  for (const fs::path& place : {fs::path(program), error ? fs::path(program) : real}) {
    if (jar.empty()) jar = find_streaming_jar(place.parent_path().parent_path());
  }
  if (jar.empty()) jar = find_streaming_jar(from_environment("HADOOP_HOME"));
  if (jar.empty()) {
    return make_error(ErrorCode::kNotFound,
                      "{}: no hadoop-streaming jar beside it, in share/hadoop/tools/lib or "
                      "hadoop-mapreduce; name all jars with --hadoop-classpath",
                      printable_path(program));
  }
  return hadoop::ClientCommands{{program, "fs"},
                                {program, "jar", jar},
                                {program},
                                fmt::format("{}, {}", printable_path(program), how)};
}

Result<std::string> parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != 0 && equals != std::string::npos) return text;
  return make_error(ErrorCode::kInvalidArgument,
                    "must be NAME=VALUE, as in mapreduce.job.queuename=short");
}

std::string worker_path() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / hadoop::kWorkerFile).string();
}

}  // namespace

Flag classpath_flag(std::string& classpath) {
  return {.names = "--hadoop-classpath",
          .value = "PATHS",
          .help = "Hadoop's configuration folder and jars, with colons",
          .fallback = "hadoop on PATH, or in HADOOP_HOME",
          .section = kHadoop,
          .take = into(classpath)};
}

std::vector<Flag> engine_flags(EngineOptions& options) {
  std::vector<Flag> flags{
      {.names = "--engine",
       .value = "ENGINE",
       .help = "threads of this machine, or a cluster: hadoop, spark",
       .fallback = "threads",
       .section = "Work",
       .choices = {"threads", "hadoop", "spark"},
       .take = into(options.engine),
       .is_basic = true},
      {.names = "--reducers",
       .value = "N",
       .help = "reduce tasks",
       .fallback = "as the filters need",
       .section = kHadoop,
       .take = into_parsed(options.reducers,
                           [](std::string_view text) -> Result<std::uint64_t> {
                             auto count = parse_count(text);
                             if (count && *count >= 1 && *count <= hadoop::kMaxReducers) {
                               return count;
                             }
                             return make_error(ErrorCode::kInvalidArgument, "must be from 1 to {}",
                                               hadoop::kMaxReducers);
                           })},
      {.names = "--hadoop-set",
       .value = "NAME=VALUE",
       .help = "a setting of the jobs",
       .section = kHadoop,
       .take = [&options](const std::string& text) -> Result<void> {
         auto setting = parse_setting(text);
         if (!setting) return setting.error();
         options.settings.push_back(*std::move(setting));
         return {};
       },
       .is_repeatable = true},
      {.names = "--hadoop-folder",
       .value = "FOLDER",
       .help = "where files of the jobs go on the cluster",
       .fallback = "/tmp",
       .section = kHadoop,
       .take = into(options.staging)},
      classpath_flag(options.classpath),
  };
  for (Flag& flag : spark_flags(options.spark)) flags.push_back(std::move(flag));
  return flags;
}

Result<void> check_engine(const EngineOptions& options) {
  const char* const of_spark = given_flag(options.spark);
  if (!options.is_spark() && of_spark != nullptr) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{}: is for --engine spark; add it or leave this out", of_spark);
  }
  if (options.is_hadoop()) return {};
  const char* flag = options.reducers            ? "--reducers"
                     : !options.settings.empty() ? "--hadoop-set"
                     : options.staging != "/tmp" ? "--hadoop-folder"
                                                 : nullptr;
  if (flag == nullptr) return {};
  return make_error(ErrorCode::kInvalidArgument,
                    "{}: is for --engine hadoop; add it or leave this out", flag);
}

Result<hadoop::ClientCommands> find_hadoop(const std::string& classpath) {
  if (!classpath.empty()) return by_classpath(classpath);
  if (const std::string program = find_program("hadoop"); !program.empty()) {
    return by_program(program, "on PATH");
  }
  if (const std::string home = from_environment("HADOOP_HOME"); !home.empty()) {
    const std::string program = home + "/bin/hadoop";
    if (::access(program.c_str(), X_OK) == 0) return by_program(program, "in HADOOP_HOME");
    return make_error(ErrorCode::kNotFound,
                      "no Hadoop: HADOOP_HOME is {}, and there is no bin/hadoop in it",
                      printable_path(home));
  }
  return make_error(ErrorCode::kNotFound,
                    "no Hadoop: there is no hadoop on PATH and no HADOOP_HOME; set one of them, or "
                    "give --hadoop-classpath");
}

Result<hadoop::HadoopOptions> hadoop_options(const EngineOptions& options,
                                             const std::optional<SecretKey>& secret) {
  auto commands = find_hadoop(options.classpath);
  if (!commands) return commands.error();
  hadoop::HadoopOptions result;
  result.commands = *std::move(commands);
  result.worker = worker_path();
  result.staging = options.staging;
  result.settings = options.settings;
  if (options.reducers) result.reducers = static_cast<std::uint32_t>(*options.reducers);
  result.secret = secret;
  return result;
}

}  // namespace bloomery::cli
