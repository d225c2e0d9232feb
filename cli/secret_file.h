// The file with the secret key of HashId::kSip.
//
// The key is never taken from a flag or the environment, where other users could read it, and never
// printed. The file must belong to its owner alone.
#pragma once

#include <optional>
#include <string>

#include "bloomery/hash.h"
#include "bloomery/result.h"

namespace bloomery::cli {

// 16 bytes, or 32 hexadecimal digits and a line end. Fails when others may read the file.
Result<SecretKey> read_secret(const std::string& path);

// Nothing for an empty path.
Result<std::optional<SecretKey>> optional_secret(const std::string& path);

// A key from the system's random numbers, as 32 hexadecimal digits and a line end, mode 0600. An
// existing file is never replaced: what was built with its key would be lost.
Result<void> create_secret(const std::string& path);

}  // namespace bloomery::cli
