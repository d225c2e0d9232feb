// Sources that decompress another source.
//
//   takes   the compressed bytes
//   gives   the bytes that were compressed
//
// Damage and truncation are errors that give the offset in the compressed file, never an early end.
// gzip: any number of members, by isa-l, or by zlib where isa-l is not there
// (docs/decisions/gzip.md). zstd: any number of frames, with a window of at most 128 MiB, as the
// zstd tool has it.
#pragma once

#include <memory>
#include <string>

#include "input/byte_source.h"

namespace bloomery {

[[nodiscard]] std::unique_ptr<ByteSource> gzip_source(std::unique_ptr<ByteSource> compressed,
                                                      std::string name);
[[nodiscard]] std::unique_ptr<ByteSource> zstd_source(std::unique_ptr<ByteSource> compressed,
                                                      std::string name);

}  // namespace bloomery
