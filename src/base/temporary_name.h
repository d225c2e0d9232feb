// Names of temporary files and folders, and the removal of those that killed writers have left.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"

namespace bloomery {

// `.<target>.tmp.<pid>.<16 hex digits>`, a long target cut so that the name stays a legal one.
[[nodiscard]] std::string temporary_name(std::string_view target);

// Removes from `folder` the temporary files of `target` that were not written for an hour, whose
// process is gone and which nobody has locked; and its temporary folders, which hold files only.
// Whatever goes wrong here is no reason to stop: it only tidies.
void remove_stale_temporaries(const File& folder, std::string_view target);

}  // namespace bloomery
