#include "base/same_file.h"

#include <sys/stat.h>

#include <set>
#include <utility>

#include "base/error.h"
#include "base/file.h"

namespace bloomery {

Result<void> check_named_once(const std::vector<std::string>& paths, std::string_view what) {
  std::set<std::string_view> names;
  std::set<std::pair<dev_t, ino_t>> files;
  for (const std::string& path : paths) {
    struct stat status {};
    const bool is_file = ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
    const bool is_new = names.insert(path).second &&
                        (!is_file || files.insert({status.st_dev, status.st_ino}).second);
    if (is_new) continue;
    return make_error(ErrorCode::kInvalidArgument, "{}: named twice; its {} would count twice",
                      printable_path(path), what);
  }
  return {};
}

}  // namespace bloomery
