// Several groups in containers that hold one filter each: a folder of numbered files and a list.
//
// groups.json names the group and the file of each, so that no group name is ever a path. The
// folder appears whole, by a rename, and replaces nothing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bank/container.h"

namespace bloomery {

struct ExportedFile {
  std::string group;
  std::string file;  // its path
  const FilterView* filter = nullptr;
};

// One file at `path` where one can hold all filters, else a new folder there.
Result<std::vector<ExportedFile>> export_filters(const std::string& path,
                                                 std::span<const GroupFilter> filters,
                                                 bool overwrite);

// The container at `path`; or those of a folder that export_filters() wrote, one bank each.
Result<std::vector<Bank>> import_filters(const std::string& path, const ContainerOptions& options);

}  // namespace bloomery
