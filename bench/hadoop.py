#!/usr/bin/env python3
"""Jobs on a Hadoop cluster against the least job there can be, in one run, as ratios.

Usage: bench/hadoop.py PROGRAM [--records N] [--tasks N] [--rounds N] [--only WORD]... [--json FILE]

hadoop must be on the PATH, as `./dev cluster up` says. Jobs take turns, and the median of each counts, from
submission to completion as the client sees it. The least job reads everything and writes one line a task;
cat / cat sends every record through the shuffle. Every bank is checked against one built on threads.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from machine import machine

RECIPE = ("--key", "tconst", "--group", "round(averageRating)")
TABLE_RECORDS = 1_254_184
# What the University of Pisa measured at p = 0.01, k = 7 with about nine map tasks.
PUBLISHED_BYTES = {"filters": 13_536_489, "indexes": 51_421_626}
LEAST, CAT = "least (wc -c / cat)", "cat / cat"
HEAP = "-Xmx512m -XX:+UseSerialGC"


def output_of(*command):
    run = subprocess.run(list(map(str, command)), capture_output=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {run.returncode}\n{run.stderr.decode()}")
    return run.stdout


def streaming_jar():
    home = pathlib.Path(shutil.which("hadoop")).resolve().parent.parent
    return next((home / "share/hadoop/tools/lib").glob("hadoop-streaming*.jar"))


class Bench:
    def __init__(self, program, folder, records, tasks):
        self.program, self.folder, self.tasks = program, folder, tasks
        self.far = f"/tmp/bloomery-bench-{os.getpid()}"
        self.table = folder / "r.tsv"
        output_of(program, "generate", "ratings", "--factor", f"{records / TABLE_RECORDS:.9f}", "-o", self.table)
        output_of("hadoop", "fs", "-mkdir", "-p", self.far)
        output_of("hadoop", "fs", "-put", self.table, f"{self.far}/r.tsv")
        for kind in ("classic", "blocked"):
            output_of(program, "plan", self.table, *RECIPE, "--kind", kind, "-o", folder / f"{kind}.plan")
            output_of(program, "build", self.table, "--plan-from", folder / f"{kind}.plan", "-o", folder / f"{kind}.bank")

    def streaming(self, mapper, reducer):
        """Seconds from submission to completion, and of the whole command."""
        options = {"mapreduce.job.maps": self.tasks, "mapreduce.job.reduces": 1,
                   "textinputformat.record.delimiter": "\n"}
        for part in ("map", "reduce"):
            options[f"mapreduce.{part}.java.opts"] = HEAP
            options[f"mapreduce.{part}.memory.mb"] = 1024
        output_of("hadoop", "fs", "-rm", "-r", "-f", f"{self.far}/out")
        command = ["hadoop", "jar", str(streaming_jar()), *(word for name, value in options.items() for word in ("-D", f"{name}={value}")),
                   "-input", f"{self.far}/r.tsv", "-output", f"{self.far}/out", "-mapper", mapper, "-reducer", reducer]
        begin = time.perf_counter()
        started = ended = None
        map_output = 0
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
            said = []
            for line in run.stderr:
                said.append(line)
                started = started or ("Running job: " in line and time.perf_counter()) or None
                if "completed successfully" in line:
                    ended = time.perf_counter()
                found = re.search(r"Map output bytes=(\d+)", line)
                map_output = int(found[1]) if found else map_output
        if run.returncode != 0 or not ended:
            sys.exit(f"{' '.join(command)}: status {run.returncode}\n{''.join(said)}")
        return {"job": ended - started, "command": time.perf_counter() - begin, "bytes": map_output}

    def ours(self, command, *flags, bank=None):
        begin = time.perf_counter()
        result = json.loads(output_of(self.program, command, *flags, "--engine", "hadoop", "--tasks", self.tasks, "--json",
                                      "--hadoop-set", f"mapreduce.map.java.opts={HEAP}",
                                      "--hadoop-set", f"mapreduce.reduce.java.opts={HEAP}"))
        seconds = time.perf_counter() - begin
        if bank and digest(self.folder / "h.bank") != digest(bank):
            sys.exit(f"{command} {' '.join(map(str, flags))}: not the bank that threads built")
        job, = result["jobs"]
        entropy = sum(group["entropy_bytes"] for group in result.get("shipped", []))
        return {"job": job["wall_seconds"], "command": seconds, "bytes": job["map_output_bytes"], "entropy": entropy}

    def build(self, kind, strategy):
        return self.ours("build", f"{self.far}/r.tsv", "--plan-from", self.folder / f"{kind}.plan", "--strategy", strategy,
                         "-f", "-o", self.folder / "h.bank", bank=self.folder / f"{kind}.bank")

    def jobs(self):
        return {
            LEAST: lambda: self.streaming("wc -c", "cat"),
            CAT: lambda: self.streaming("cat", "cat"),
            "plan": lambda: self.ours("plan", f"{self.far}/r.tsv", *RECIPE),
            "build classic, filters": lambda: self.build("classic", "filters"),
            "build classic, indexes": lambda: self.build("classic", "indexes"),
            "build classic, auto": lambda: self.build("classic", "auto"),
            "build blocked, auto": lambda: self.build("blocked", "auto"),
            "verify": lambda: self.ours("verify", self.folder / "classic.bank", f"{self.far}/r.tsv"),
        }


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def figure(value, form):
    return "-" if value is None else format(value, form)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--records", type=int, default=TABLE_RECORDS)
    parser.add_argument("--tasks", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", action="append", help="jobs whose names begin so, beside the least one")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()

    names = list(Bench.jobs(None))  # nothing is run yet
    for word in options.only or ():
        if not any(name.startswith(word) for name in names):
            parser.error(f"--only {word}: jobs are {'; '.join(names)}")

    version = json.loads(output_of(options.program, "version", "--json"))
    print(f"machine  {machine()}\nprogram  {json.dumps(version)[:160]}")
    print(f"hadoop   {output_of('hadoop', 'org.apache.hadoop.util.VersionInfo').decode().splitlines()[0]}")
    print(f"jobs     {options.records:,} records, {options.tasks} maps, 1 reduce; medians of {options.rounds} rounds, in turns\n")
    with tempfile.TemporaryDirectory(prefix="bloomery-bench-") as folder:
        bench = Bench(options.program, pathlib.Path(folder), options.records, options.tasks)
        wanted = (LEAST, *options.only) if options.only else ("",)
        jobs = {name: job for name, job in bench.jobs().items() if name.startswith(wanted)}
        runs = {}
        try:
            for turn in range(options.rounds):
                for name, job in jobs.items():
                    runs.setdefault(name, []).append(job())
                print(f"round {turn + 1} of {options.rounds}", file=sys.stderr)
        finally:
            output_of("hadoop", "fs", "-rm", "-r", "-f", bench.far)
    median = {name: statistics.median(run["job"] for run in of) for name, of in runs.items()}
    least, both = median[LEAST], median.get(CAT)
    rows = []
    for name, of in runs.items():
        rows.append({"job": name, "seconds": median[name], "to_least": median[name] / least, "to_cat": median[name] / both if both else None,
                     "command_seconds": statistics.median(run["command"] for run in of), "map_output_bytes": of[-1]["bytes"],
                     "entropy_bytes": of[-1].get("entropy") or None})
    print(f"{'job':24} {'seconds':>8} {'to least':>9} {'to cat':>7} {'command s':>10} {'map output bytes':>17} {'entropy':>12}")
    for row in rows:
        print(f"{row['job']:24} {row['seconds']:8.1f} {row['to_least']:9.2f} {figure(row['to_cat'], '7.2f'):>7} {row['command_seconds']:10.1f} "
              f"{row['map_output_bytes']:17,} {figure(row['entropy_bytes'], ',.0f'):>12}")
    if options.records == TABLE_RECORDS:
        print(f"\npublished (Pisa, nine maps): filters {PUBLISHED_BYTES['filters']:,} bytes, indexes {PUBLISHED_BYTES['indexes']:,} bytes")
    if options.json:
        options.json.write_text(json.dumps({"version": version, "records": options.records, "tasks": options.tasks,
                                            "rounds": options.rounds, "jobs": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
