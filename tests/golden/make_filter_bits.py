#!/usr/bin/env python3
"""Writes filter_bits.inc: tables of small filters, made by tests/differential/model.py and not by the library.

Needs the package xxhash from PyPI in an environment of your own; tests do not run this.
"""
import os
import sys
from importlib.metadata import version

import xxhash

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "differential"))
import model  # noqa: E402

KEYS = [b"", b"alice", b"bob", b"carol", b"caf\xc3\xa9", b"\0\xff\x80", b"x" * 300]


def spread_seed(seed):
    x = seed + 0x9E3779B97F4A7C15 & model.WORD
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & model.WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & model.WORD
    return x ^ x >> 31


def hashes(case, key):
    if case["hash"] != "xxh3":
        return model.key_hashes(case, key, None)
    seeds = [spread_seed(seed) for seed in case["seeds"]] or [case["seed"]]
    return [xxhash.xxh3_64_intdigest(key, seed) for seed in seeds]


def table(case):
    counts = [0] * case["bits"]
    top = 15 if case["kind"] == "counting" else 1
    for key in KEYS:
        for cell in model.cells(case, hashes(case, key)):
            counts[cell] = min(top, counts[cell] + 1)
    width = 4 if case["kind"] == "counting" else 1
    number = sum(count << width * i for i, count in enumerate(counts))
    return number.to_bytes((case["bits"] * width + 63) // 64 * 8, "little").hex()


def main():
    print(f"// Written by make_filter_bits.py from xxhash {version('xxhash')} (PyPI). Kind, hash, seed, bits, "
          "hashes, seeds, table.")
    print("const GoldenFilter kGoldenFilters[] = {")
    for kind, name, seed, bits, k, seeds in (
            ("classic", "xxh3", 0, 200, 7, []), ("classic", "xxh3", 7, 129, 3, []),
            ("classic", "murmur3", 5, 200, 7, []), ("classic", "sip", 0, 200, 7, []),
            ("classic", "xxh3", 0, 200, 3, [0, 1, 99]), ("classic", "murmur3", 0, 200, 3, [0, 1, 99]),
            ("blocked", "xxh3", 0, 512, 8, []), ("blocked", "xxh3", 0, 1536, 8, []),
            ("blocked", "xxh3", 7, 1024, 16, []), ("blocked", "murmur3", 5, 1024, 16, []),
            ("counting", "xxh3", 0, 50, 7, []), ("counting", "murmur3", 5, 33, 3, [])):
        case = {"kind": kind, "hash": name, "seed": seed, "bits": bits, "hashes": k, "seeds": seeds,
                "secret": bytes(range(16)).hex()}
        text = ", ".join(map(str, seeds))
        print(f'    {{"{kind}", "{name}", {seed}, {bits}, {k}, {{{text}}},\n     "{table(case)}"}},')
    print("};")


main()
