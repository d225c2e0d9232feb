#!/usr/bin/env python3
"""Writes hash_vectors.inc: what other implementations of the hashes give, on every length branch.

Needs the packages xxhash, mmh3 and siphash24 from PyPI in an environment of your own; tests do not run this.
Key of length n: byte i is (i * 151 + 131) mod 256, so that half of all bytes, the first included, are
0x80 or more.
"""
from importlib.metadata import version

import mmh3
import siphash24
import xxhash

# 0, 1-3, 4-8, 9-16, 17-128, 129-240 and above are XXH3's branches; above 240 it reads stripes of 64
# bytes, 16 of them a block.
XXH3_LENGTHS = [*range(0, 36), 48, 63, 64, 65, 95, 96, 97, 127, 128, 129, 130, 143, 144, 145, 159, 160,
                191, 192, 239, 240, 241, 255, 256, 257, 320, 511, 512, 1023, 1024, 1025, 1087, 1088,
                1089, 2047, 2048, 2049, 4096, 5000, 65536]
MURMUR3_LENGTHS = [*range(0, 49), 63, 64, 65, 255, 256, 1000, 65536]
SIP_LENGTHS = [*range(0, 33), 63, 64, 65, 255, 256, 257, 1000, 65536]


def key(length):
    return bytes((i * 151 + 131) % 256 for i in range(length))


def xxh3(length, seed):
    return xxhash.xxh3_64_intdigest(key(length), seed)


def murmur3(length, seed):
    return mmh3.hash64(key(length), seed, signed=False)[0]


def sip(length, first_byte):
    """The secret is 16 bytes counting up from first_byte."""
    secret = bytes((first_byte + i) % 256 for i in range(16))
    return int.from_bytes(siphash24.siphash13(key(length), key=secret).digest(), "little")


def table(name, function, lengths, seeds):
    print(f"constexpr HashVector {name}[] = {{")
    for seed in seeds:
        for length in lengths:
            print(f"    {{{length}, {seed:#x}, {function(length, seed):#018x}}},")
    print("};")


packages = ", ".join(f"{p} {version(p)}" for p in ("xxhash", "mmh3", "siphash24"))
print(f"// Written by make_hash_vectors.py from {packages} (PyPI). Length of the key, seed, hash.")
table("kXxh3Vectors", xxh3, XXH3_LENGTHS, [0, 1, 0x9E3779B97F4A7C15])
table("kMurmur3Vectors", murmur3, MURMUR3_LENGTHS, [0, 1, 0xFFFFFFFF])
table("kSipVectors", sip, SIP_LENGTHS, [0x00, 0xF0])
