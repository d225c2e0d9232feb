"""Bulk insert and query from Python, beside rbloom, pybloom-live and set.

Usage: python.py [--keys N] [--runs N] [--json FILE]

Strings that lie in a list, as Python has them, and for bloomery also in an Arrow column. Medians of
alternated runs, in million keys a second; the rate of every filter is 1 %.
"""

import argparse
import json
import pathlib
import platform
import statistics
import sys
import time

import bloomery
import pyarrow

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from machine import commit, machine  # noqa: E402


def contenders(count):
    import pybloom_live
    import rbloom

    def each(filter, keys):
        for key in keys:
            filter.add(key)

    return {
        "bloomery, Arrow": (lambda: bloomery.Filter(count, 0.01), lambda f, k: f.update(k[1]),
                            lambda f, k: f.may_contain(k[1])),
        "bloomery, list": (lambda: bloomery.Filter(count, 0.01), lambda f, k: f.update(k[0]),
                           lambda f, k: f.may_contain(k[0])),
        "set": (set, lambda f, k: f.update(k[0]), lambda f, k: [key in f for key in k[0]]),
        "rbloom": (lambda: rbloom.Bloom(count, 0.01), lambda f, k: f.update(k[0]),
                   lambda f, k: [key in f for key in k[0]]),
        "pybloom-live": (lambda: pybloom_live.BloomFilter(count, 0.01), lambda f, k: each(f, k[0]),
                         lambda f, k: [key in f for key in k[0]]),
    }


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", type=int, default=2_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    print(f"machine  {machine()}\nprogram  bloomery {bloomery.__version__}, commit {commit()}, Python "
          f"{platform.python_version()}\n")

    # Made anew for every run: Python keeps the hash of a str once it has been asked for.
    def made():
        texts = [f"tt{i:09}" for i in range(arguments.keys)]
        return texts, pyarrow.array(texts)

    times = {}
    for _ in range(arguments.runs):
        for name, (create, insert, ask) in contenders(arguments.keys).items():
            keys, filter = made(), create()
            inserted = seconds(lambda: insert(filter, keys))
            asked = seconds(lambda: ask(filter, keys))
            times.setdefault(name, []).append((inserted, asked))
    rows = []
    for name, runs in times.items():
        insert, ask = (statistics.median(column) for column in zip(*runs))
        rows.append({"name": name, "insert_mkeys_per_s": arguments.keys / insert / 1e6,
                     "query_mkeys_per_s": arguments.keys / ask / 1e6})
        print(f"{name:18} insert {rows[-1]['insert_mkeys_per_s']:8.2f} M/s   "
              f"query {rows[-1]['query_mkeys_per_s']:8.2f} M/s")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"keys": arguments.keys, "runs": arguments.runs, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
