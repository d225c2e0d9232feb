// Four numbers at a time. Compiled with -O3 -mavx2.
#include "hash/kernels/number_loops.h"

namespace bloomery {

const NumberHashes kAvx2NumberHashes = kNumberHashes;

}  // namespace bloomery
