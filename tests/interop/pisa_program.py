"""The course project's Python program written down again, with mmh3 and bitarray as it uses them.

Usage: pisa_program.py FOLDER FPR; the folder and what is made of it are those of jvm/src/Interop.java.
"""

import json
import math
import pathlib
import sys

import mmh3
from bitarray import bitarray


class BloomFilter:
    def __init__(self, rating, m, k, p, bits=None):
        self.rating, self.m, self.k, self.p = rating, m, k, p
        self.bits = bits if bits is not None else bitarray(m)
        if bits is None:
            self.bits.setall(0)

    def positions(self, key):
        return (abs(mmh3.hash(key, i) % self.m) for i in range(self.k))

    def insert(self, key):
        for position in self.positions(key):
            self.bits[position] = 1

    def __contains__(self, key):
        return all(self.bits[position] for position in self.positions(key))

    def line(self):
        fields = {"rating": self.rating, "m": self.m, "K": self.k, "P": self.p,
                  "bitarray": self.bits.tobytes().hex()}
        return json.dumps(fields) + "\n"


def load(line):
    fields = json.loads(line)
    bits = bitarray()
    bits.frombytes(bytes.fromhex(fields["bitarray"]))
    if any(bits[fields["m"]:]):
        raise ValueError("bits past the last")
    return BloomFilter(fields["rating"], fields["m"], fields["K"], fields["P"], bits[:fields["m"]])


def main(folder, p):
    groups = {}
    for line in (folder / "keys.tsv").read_bytes().decode().split("\n")[:-1]:
        key, group = line.split("\t")
        groups.setdefault(group, []).append(key)
    ours = (folder / "ours.json").read_text().splitlines()
    filters = {}
    for name in ("again", "theirs"):
        (folder / name).mkdir()
    for number, (group, line) in enumerate(zip(sorted(groups), ours, strict=True), 1):
        n = len(groups[group])
        m = math.ceil(n * math.log(p) / math.log(1 / math.pow(2, math.log(2))))
        own = BloomFilter(int(group), m, int(math.log(2) * m / n + 0.5), p)
        filters[group] = load(line)
        for key in groups[group]:
            own.insert(key)
            if key not in filters[group]:
                sys.exit(f"pisa-python: group {group} denies a member")
        (folder / "again" / f"{number:06}.bloom").write_text(filters[group].line())
        (folder / "theirs" / f"{number:06}.bloom").write_text(own.line())
    with open(folder / "answers.txt", "w", encoding="utf-8", newline="") as out:
        for key in (folder / "others.txt").read_bytes().decode().split("\n")[:-1]:
            found = [group for group in filters if key in filters[group]]
            if found:
                out.write(key + "\t" + ",".join(found) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), float(sys.argv[2]))
