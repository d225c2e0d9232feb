// A file without a name, for what does not fit memory: gone when it is closed, however the process
// ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/file.h"
#include "bloomery/result.h"

namespace bloomery {

// Opens an empty one in `folder`, for read_at() and write_at().
Result<File> open_scratch_file(const std::string& folder);

// write_at() for such a file; the message says what the folder is for.
Result<void> write_scratch(const File& file, std::uint64_t offset, std::span<const std::byte> bytes,
                           const std::string& folder);

}  // namespace bloomery
