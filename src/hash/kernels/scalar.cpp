// Plain C++: runs everywhere.
#include "hash/kernels/number_loops.h"

namespace bloomery {

const NumberHashes kScalarNumberHashes = kNumberHashes;

}  // namespace bloomery
