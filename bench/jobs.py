#!/usr/bin/env python3
"""Whole jobs against wc -l: process start to bank written, in one run, as ratios.

Usage: bench/jobs.py PROGRAM [--limits FILE] [--records N] [--rounds N] [--folder FOLDER] [--json FILE]

Contestants take turns, and the best round of each counts. Every answer is checked: banks of one spec are
one file, verify finds no false negative. Nothing fails on a time.
"""

import argparse
import gzip
import hashlib
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from machine import machine

RECIPE = ("--key", "tconst", "--group", "round(averageRating)")
TABLE_RECORDS = 1_254_184  # of generate ratings --factor 1


def timed(command):
    """Seconds of wall time and what the command printed. It must succeed."""
    start = time.perf_counter()
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    seconds = time.perf_counter() - start
    if run.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {run.returncode}\n{run.stderr.decode()}")
    return seconds, run.stdout


class Bench:
    def __init__(self, program, folder, rounds):
        self.program, self.folder, self.rounds = program, folder, rounds
        self.rows = []

    def path(self, name):
        return str(self.folder / name)

    def table(self, name, records, *flags):
        timed([self.program, "generate", "ratings", "--factor", f"{records / TABLE_RECORDS:.9f}",
               "-o", self.path(name), *flags])
        return self.path(name)

    def build(self, table, bank, *flags):
        return [self.program, "build", table, *RECIPE, "-f", "-o", self.path(bank), "--json",
                "--no-progress", *flags]

    def race(self, contestants):
        """Seconds of each, its best of all rounds, and the last output of each."""
        best, printed = {}, {}
        for _ in range(self.rounds):
            for name, command in contestants.items():
                seconds, printed[name] = timed(command)
                best[name] = min(seconds, best.get(name, seconds))
        return best, printed

    def add(self, job, seconds, other, against, target=None, at_least=False, note=""):
        ratio = seconds / other
        met = target is None or (ratio >= target if at_least else ratio <= target)
        self.rows.append({"job": job, "seconds": seconds, "ratio": ratio, "against": against,
                          "target": target, "met": met, "note": note})
        bound = "" if target is None else f"{'>=' if at_least else '<='} {target:g}"
        print(f"{job:44} {seconds * 1e3:10.1f} ms {ratio:7.2f} x {against:24} {bound:8} "
              f"{'' if met else 'MISSED'} {note}", flush=True)

    def sha(self, name):
        return hashlib.sha256(pathlib.Path(self.path(name)).read_bytes()).hexdigest()

    def same(self, *banks):
        if len({self.sha(bank) for bank in banks}) != 1:
            sys.exit(f"different banks: {', '.join(banks)}")


def main_job(bench):
    """The ten filters of a study of 1.25 million ratings."""
    table = bench.table("ratings.tsv", TABLE_RECORDS)
    best, _ = bench.race({
        "wc": ["wc", "-l", table],
        "two": bench.build(table, "two.bank", "-T", "2"),
        "one": bench.build(table, "one.bank", "-T", "1"),
    })
    bench.same("one.bank", "two.bank")
    bench.add("wc -l, 1.25 million records", best["wc"], best["wc"], "itself")
    bench.add("main job, 2 threads", best["two"], best["wc"], "wc -l", 4)
    bench.add("main job, 1 thread", best["one"], best["wc"], "wc -l", 6)


def forms(bench):
    """The same records in other clothes."""
    records = 8 * TABLE_RECORDS
    tsv = bench.table("forms.tsv", records)
    csv = bench.table("forms.csv", records, "--format", "csv")
    quoted = bench.path("quoted.csv")
    with open(csv, "rb") as plain, open(quoted, "wb") as out:
        for line in plain:
            out.write(b'"' + line.rstrip(b"\n").replace(b",", b'","') + b'"\n')
    objects = bench.table("forms.jsonl", records, "--json")
    contestants = {
        "tsv": bench.build(tsv, "tsv.bank", "-T", "1"),
        "quoted": bench.build(quoted, "quoted.bank", "-T", "1"),
        "json": bench.build(objects, "json.bank", "-T", "1"),
    }
    text = pathlib.Path(tsv).read_bytes()
    pathlib.Path(bench.path("forms.tsv.gz")).write_bytes(gzip.compress(text, 6))
    alone = {"gz": (("igzip", "-d", "-c"), "igzip -d"), "zst": (("zstd", "-d", "-c", "-q"), "zstd -d")}
    if shutil.which("zstd"):
        timed(["zstd", "-q", "-f", tsv, "-o", bench.path("forms.tsv.zst")])
    for suffix, (command, name) in list(alone.items()):
        if shutil.which(command[0]) is None:
            print(f"{name}: not installed, so {suffix} is left out")
            del alone[suffix]
            continue
        packed = bench.path("forms.tsv." + suffix)
        contestants[suffix] = bench.build(packed, suffix + ".bank", "-T", "2")
        contestants[name] = ["sh", "-c", 'exec "$@" >/dev/null', "sh", *command, packed]
    best, _ = bench.race(contestants)
    bench.same(*[name + ".bank" for name in contestants if name not in ("igzip -d", "zstd -d")])
    bench.add("tsv, 10 million records, 1 thread", best["tsv"], best["tsv"], "itself")
    bench.add("csv, every field quoted, 1 thread", best["quoted"], best["tsv"], "tsv", 1.5)
    rate = os.path.getsize(objects) / best["json"] / 1e6
    bench.add("json lines, 1 thread", best["json"], best["tsv"], "tsv",
              note=f"{rate:.0f} MB/s (wanted: 400)")
    for suffix, (_, name) in alone.items():
        bench.add(f"{suffix} to bank", best[suffix], best[name], name, 1.15)


def many(bench, records):
    """As many records as asked for, from the page cache."""
    table = bench.table("many.tsv", records)
    gigabyte = 1 << 30
    build = bench.build(table, "many.bank", "-T", "2", "--memory", str(2 * gigabyte))
    best, printed = bench.race({
        "wc": ["wc", "-l", table],
        "build": build,
        "plan": [bench.program, "plan", table, *RECIPE, "-T", "2", "--json", "--no-progress"],
    })
    verify = [bench.program, "verify", bench.path("many.bank"), table, "-T", "2", "--json",
              "--no-progress", "--memory", str(2 * gigabyte)]
    best["verify"], answer = timed(verify)
    denied = sum(group["false_negatives"] for group in json.loads(answer)["groups"])
    if denied:
        sys.exit(f"verify: {denied} false negatives")
    facts = json.loads(printed["build"])
    peak = facts["peak_memory"] / gigabyte
    name = f"{records / 1e6:.0f} million records"
    bench.add(f"wc -l, {name}", best["wc"], best["wc"], "itself")
    bench.add(f"build, {name}, 2 threads", best["build"], best["wc"], "wc -l", 4,
              note=f"peak {peak:.2f} of 2 GiB")
    bench.add(f"plan, {name}", best["plan"], best["build"], "build", 1)
    bench.add(f"verify, {name}", best["verify"], best["build"], "build", 2.5)


def query(bench, limits):
    """Ten million keys from a file, asked of one filter of 1 GiB."""
    keys, bank = 10_000_000, bench.path("large.bank")
    table = bench.table("asked.tsv", keys)
    asked = bench.path("asked.txt")
    with open(table, "rb") as lines, open(asked, "wb") as out:
        next(lines)
        out.writelines(line.split(b"\t", 1)[0] + b"\n" for line in lines)
    timed([bench.program, "build", asked, "-o", bank, "--bytes", "1GiB", "-q", "--no-progress"])
    ask = [bench.program, "query", bank, "--count", "--json", "-T", "1", "-i"]
    pathlib.Path(bench.path("one.txt")).write_bytes(b"tt0000001\n")
    best, printed = bench.race({"wc": ["wc", "-l", asked], "open": [*ask, bench.path("one.txt")],
                                "ask": [*ask, asked]})
    if json.loads(printed["ask"])["admitted"] < keys - 10:
        sys.exit("query: a key of the bank was denied")
    names = {row["name"]: row["ns"] * 1e-9 for row in limits["results"] if "ns" in row}
    line = names["random lines, 1010 MB"]
    floor = best["wc"] + keys * (names["hash floor, 9-10 byte strings, xxh3"] + line)
    bench.add("query, 10 million keys, 1 GiB bank, 1 thread", best["ask"] - best["open"], floor,
              "read + hash + one line", 1.5)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--records", type=int, default=100_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--folder", default="/dev/shm" if os.path.isdir("/dev/shm") else "/tmp")
    parser.add_argument("--json")
    parser.add_argument("--limits", help="what bloomery_bench limits --json wrote; query needs it")
    arguments = parser.parse_args()
    _, version = timed([arguments.program, "--version", "--json"])
    print(f"{machine()}; {json.loads(version)['version']}")
    with tempfile.TemporaryDirectory(prefix="bloomery-jobs-", dir=arguments.folder) as folder:
        bench = Bench(arguments.program, pathlib.Path(folder), arguments.rounds)
        main_job(bench)
        forms(bench)
        bench.rounds = min(bench.rounds, 3)
        many(bench, arguments.records)
        if arguments.limits:
            query(bench, json.loads(pathlib.Path(arguments.limits).read_text(encoding="utf-8")))
    if arguments.json:
        pathlib.Path(arguments.json).write_text(
            json.dumps({"machine": machine(), "version": json.loads(version), "rows": bench.rows},
                       indent=1) + "\n", encoding="utf-8")
    print(f"peak memory of a child: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
