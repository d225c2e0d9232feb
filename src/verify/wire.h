// Counts and candidates as bytes, for engines whose tasks are processes.
//
//   takes   what VerifyMap and settle() give
//   gives   the same on another machine, or an error for bytes that are not whole
//
// A frame, little-endian: magic "bloomery" and kind (u64, u64), the bank's digest (16 bytes), the
// size of what follows (u64), that, and the checksum64() of everything before it (u64). Frames live
// as long as a job, so there is no version; every process of a job runs the same program.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bloomery/bank.h"
#include "bloomery/result.h"
#include "verify/candidate.h"
#include "verify/verify_counts.h"

namespace bloomery {

[[nodiscard]] std::vector<std::byte> encode(const VerifyCounts& counts);
[[nodiscard]] std::vector<std::byte> encode(std::span<const Candidate> candidates,
                                            const Bank& bank);
[[nodiscard]] std::vector<std::byte> encode(const SettledGroups& settled, const Bank& bank);

// Each fails unless `bytes` is exactly one frame of its kind, made with the same bank, and every
// number in it has a meaning.
Result<VerifyCounts> decode_counts(std::span<const std::byte> bytes, const Bank& bank);
Result<std::vector<Candidate>> decode_candidates(std::span<const std::byte> bytes,
                                                 const Bank& bank);
Result<SettledGroups> decode_settled(std::span<const std::byte> bytes, const Bank& bank);

}  // namespace bloomery
