"""What the tests of studies share: a small study, its lines, and hostile names."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from cli import PROGRAM, SOURCE, CliTest  # noqa: E402,F401
from schema import problems  # noqa: E402,F401

RECIPE = 'input = "ratings.tsv"\nkey = "tconst"\ngroup = "round(averageRating)"\n'
PLAN = RECIPE + """
title = "A small study"
seed = 7
[base]
kind = "classic"
tasks = 3
[[sweep]]
repetitions = 2
[sweep.cross]
fpr = [0.1, 0.01]
strategy = ["indexes", "filters", "auto"]
[[sweep]]
[sweep.vary]
hashes = [3, "optimal"]
threads = [1, 2]
"""
RUNS_OF_PLAN = 2 * 3 * 2 + 2 + 2

# Each would run, load or break something if it were taken for anything but text.
HOSTILE = [
    "<img src=x onerror=window.hacked=1>",
    "\"><script>window.hacked=1</script>",
    "</script><script>window.hacked=1</script>",
    "' onmouseover='window.hacked=1",
    "<!--<script>",
    "javascript:window.hacked=1",
    "${window.hacked=1}",
    "datum.constructor.constructor('window.hacked=1')()",
    "__proto__",
    "http://127.0.0.1:9/x.png",
    "a,\"b\",c",
    "\u202etxt.exe",
]


class StudyTest(CliTest):
    def setUp(self):
        super().setUp()
        self.ok("generate", "ratings", "--factor", "0.004", "-o", "ratings.tsv")

    def lines(self, name):
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]

    def study(self, plan=PLAN, output="runs.jsonl"):
        self.write("plan.toml", plan)
        self.ok("study", "plan.toml", "-o", output)
        return self.lines(output)

    def write_hostile_bank(self):
        """A bank, its build and its verification, whose groups and files all have hostile names."""
        names = [name.encode() for name in HOSTILE] + [b"\xff\xfe<b>", b"tab\x07bell"]
        records = b"".join(b"key%d\t%s\n" % (i, names[i % len(names)]) for i in range(2000))
        (self.folder / HOSTILE[0]).write_bytes(records)
        flags = ("--key", "1", "--group", "2", "--delimiter", "\\t", "--no-quotes")
        return names, flags
