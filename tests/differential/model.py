#!/usr/bin/env python3
"""What filters must look like, said once more in Python and without a look at the C++.

    model.py DUMP_FILTERS

runs that program, makes every filter it prints again from the keys, and compares bits and answers. Its own
murmur3 and sip; XXH3 hashes are taken from the program (tests/golden/ pins those).
"""
import json
import subprocess
import sys

WORD = 2**64 - 1


def rotate(x, n):
    return (x << n | x >> 64 - n) & WORD


def murmur3(key, seed):
    """First half of MurmurHash3 x64-128."""
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F

    def finish(h):
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            h = (h ^ h >> 33) * factor & WORD
        return h ^ h >> 33

    a = b = seed
    for i in range(0, len(key), 16):
        block = key[i:i + 16]
        a ^= rotate(int.from_bytes(block[:8], "little") * c1 & WORD, 31) * c2 & WORD
        b_word = rotate(int.from_bytes(block[8:], "little") * c2 & WORD, 33) * c1 & WORD
        if len(block) == 16:
            a = (rotate(a, 27) + b) * 5 + 0x52DCE729 & WORD
            b = (rotate(b ^ b_word, 31) + a) * 5 + 0x38495AB5 & WORD
        else:
            b ^= b_word
    a, b = a ^ len(key), b ^ len(key)
    a = a + b & WORD
    b = a + b & WORD
    return finish(a) + finish(b) & WORD


def sip(key, secret):
    """SipHash-1-3."""
    k0, k1 = (int.from_bytes(secret[i:i + 8], "little") for i in (0, 8))
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D,
         k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def one_round():
        for low, high, turn in ((0, 1, 13), (2, 3, 16), (2, 1, 17), (0, 3, 21)):
            v[low] = v[low] + v[high] & WORD
            v[high] = rotate(v[high], turn) ^ v[low]
            if turn in (13, 17):
                v[low] = rotate(v[low], 32)

    whole = len(key) // 8 * 8
    words = [key[i:i + 8] for i in range(0, whole, 8)]
    words.append(key[whole:].ljust(7, b"\0") + bytes([len(key) % 256]))
    for word in words:
        word = int.from_bytes(word, "little")
        v[3] ^= word
        one_round()
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(3):
        one_round()
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def key_hashes(case, key, given):
    """One hash, or one for each seed of the list."""
    if case["hash"] == "murmur3":
        return [murmur3(key, seed) for seed in case["seeds"] or [case["seed"]]]
    return [sip(key, bytes.fromhex(case["secret"]))] if case["hash"] == "sip" else given


def cells(case, hashes):
    """The cells of a key, in the order of its positions; one may come twice."""
    scale = lambda x, size: x * size >> 64
    if case["seeds"]:
        return [scale(h, case["bits"]) for h in hashes]
    x = hashes[0]
    if case["kind"] != "blocked":
        states = [x]
        while len(states) < case["hashes"]:
            states.append(states[-1] * 0xD1342543DE82EF95 + 0x9E3779B97F4A7C15 & WORD)
        return [scale(state, case["bits"]) for state in states]
    block = scale(x, case["bits"] // 512)
    sources = [x * 0xA0761D6478BD642F & WORD, (x ^ x >> 32) * 0xE7037ED1A0B428DB & WORD]
    return [512 * block + 64 * word + (source >> 16 + 6 * word & 63)
            for source in sources[:case["hashes"] // 8] for word in range(8)]


def complaints(case):
    """What in this case is not as it must be."""
    keys = {}
    for name in ("inserted", "removed", "asked"):
        for key, given in zip(case[name], case[name + "_hashes"]):
            hashes = key_hashes(case, bytes.fromhex(key), given)
            if hashes != given:
                yield f"hash of {key!r}: {given}, must be {hashes}"
            if keys.setdefault(key, cells(case, hashes)) != cells(case, hashes):
                yield f"hash of {key!r}: not the same twice"
    counts = [0] * case["bits"]
    top = 15 if case["kind"] == "counting" else 1
    for key in case["inserted"]:
        for cell in keys[key]:
            counts[cell] = min(top, counts[cell] + 1)
    for key in case["removed"]:
        if all(counts[cell] for cell in keys[key]):
            for cell in keys[key]:
                counts[cell] -= 0 if counts[cell] in (0, top) else 1
    width = 4 if case["kind"] == "counting" else 1
    number = sum(count << width * i for i, count in enumerate(counts))
    size = (case["bits"] * width + 63) // 64 * 8
    if number.to_bytes(size, "little").hex() != case["table"]:
        yield "the tables differ"
    if [all(counts[cell] for cell in keys[key]) for key in case["asked"]] != case["answers"]:
        yield "the answers differ"


def main(program):
    lines = subprocess.run([program], stdout=subprocess.PIPE, check=True).stdout.splitlines()
    wrong = 0
    for case in map(json.loads, lines):
        for complaint in complaints(case):
            wrong += 1
            print(f"{case['kind']} {case['hash']} bits {case['bits']} hashes {case['hashes']} "
                  f"seeds {case['seeds']}: {complaint}")
    print(f"{len(lines)} filters, {wrong} complaints")
    return 0 if lines and not wrong else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
