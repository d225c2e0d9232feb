// Eight numbers at a time. Compiled with -O3 -mavx512f -mavx512dq, which can multiply them.
#include "hash/kernels/number_loops.h"

namespace bloomery {

const NumberHashes kAvx512NumberHashes = kNumberHashes;

}  // namespace bloomery
