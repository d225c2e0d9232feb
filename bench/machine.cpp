#include "machine.h"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "bench_build.h"
#include "bloomery/kernel.h"
#include "peers/peer.h"

namespace bloomery::bench {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The value after "name   : " in a file such as /proc/cpuinfo.
std::string field(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    const auto start = line.find_first_not_of(" \t", line.find(':') + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "unknown";
}

std::string caches() {
  std::string all;
  for (int i = 0; i < 8; ++i) {
    const auto folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", i);
    const std::string level = first_line(folder + "level");
    if (level.empty()) break;
    const std::string type = first_line(folder + "type");
    if (type == "Instruction") continue;
    all += fmt::format("{}L{} {}", all.empty() ? "" : ", ", level, first_line(folder + "size"));
  }
  return all.empty() ? "unknown" : all;
}

std::string system_name() {
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  return fmt::format("{} {} {}", names.sysname, names.release, names.machine);
}

}  // namespace

std::vector<Fact> machine_facts() {
  return {
      {"processor", field("/proc/cpuinfo", "model name")},
      {"cores", std::to_string(std::thread::hardware_concurrency())},
      {"caches", caches()},
      {"memory", field("/proc/meminfo", "MemTotal")},
      {"huge pages", first_line("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"system", system_name()},
      {"compiler", std::string(kCompiler)},
      {"flags", std::string(kFlags)},
      {"peer flags", std::string(peer_flags())},
      {"kernel", std::string(to_string(active_kernel()))},
      {"commit", std::string(kCommit)},
  };
}

}  // namespace bloomery::bench
