#include "cli/machine.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "bloomery/kernel.h"
#include "bloomery/version.h"
#include "cli/build_facts.h"

namespace bloomery::cli {
namespace {

// The text after "name :" in a file of such lines.
std::string field_of(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(name) || colon == std::string::npos) continue;
    const std::size_t text = line.find_first_not_of(" \t", colon + 1);
    return text == std::string::npos ? "" : line.substr(text);
  }
  return {};
}

}  // namespace

std::string version() {
  return BLOOMERY_VERSION;
}
std::string commit() {
  return kCommit;
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang++ {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const Kernel kernel : available_kernels()) names.emplace_back(to_string(kernel));
  return names;
}

std::string processor() {
  const std::string name = field_of("/proc/cpuinfo", "model name");
  return name.empty() ? "unknown" : name;
}

std::string operating_system() {
  utsname facts{};
  if (::uname(&facts) != 0) return "unknown";
  return fmt::format("{} {} {}", facts.sysname, facts.release, facts.machine);
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = fmt::format("{}/{}", folder, name);
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

}  // namespace bloomery::cli
