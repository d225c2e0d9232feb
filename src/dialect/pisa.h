// The course project MapReduceBloomFilter of the University of Pisa: one JSON object a line, one
// line a rating, as its two programs write them.
//
// Both take hash i with seed i for position i. They differ in everything else: Hadoop's Murmur and
// the remainder's absolute value against MurmurHash3 and Python's remainder, bits LSB-first and cut
// after the last one against MSB-first and whole, "bitArray" against "bitarray", and arithmetic in
// floats against doubles.
#pragma once

#include <cstdint>
#include <string_view>

#include "dialect/murmur3_x32.h"
#include "dialect/rules.h"

namespace bloomery {

extern const DialectRules kPisaJavaRules;
extern const DialectRules kPisaPythonRules;

}  // namespace bloomery
