#include <glob.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/same_file.h"
#include "input/input.h"

namespace bloomery {
namespace {

// A file whose name happens to hold one of the special characters is that file.
bool is_pattern(const std::string& text) {
  return text.find_first_of("*?[") != std::string::npos;
}

Result<std::vector<std::string>> expand_pattern(const std::string& pattern) {
  glob_t found{};
  // Only changes of the environment by another thread would disturb it.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const int status = glob(pattern.c_str(), GLOB_ERR | GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> paths;
  if (status == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (status != 0) {
    return make_error(ErrorCode::kNotFound, "{}: no such file, and as a pattern it matches none",
                      escaped(pattern));
  }
  // Not glob's own order, which follows the locale.
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

Result<std::vector<std::string>> expand_paths(const std::vector<std::string>& patterns) {
  std::vector<std::string> paths;
  for (const std::string& pattern : patterns) {
    if (!is_pattern(pattern) || access(pattern.c_str(), F_OK) == 0) {
      paths.push_back(pattern);
      continue;
    }
    auto found = expand_pattern(pattern);
    if (!found) return found.error();
    paths.insert(paths.end(), found->begin(), found->end());
  }
  if (auto once = check_named_once(paths, "records"); !once) return once.error();
  return paths;
}

}  // namespace bloomery
