"""--engine spark: the same bytes, counts and report; and every way to get it wrong."""

import json
import os
import sys
import unittest

import pyarrow.csv
import pyarrow.parquet
from support import PROGRAM, RECIPE, SparkTest, remove_work

FLAGS = ["--key", RECIPE["key"], "--group", RECIPE["group"]]
SPARK = ["--engine", "spark", "--master", "local[2]", "--python", sys.executable]


class CommandLine(SparkTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.addClassCleanup(remove_work)
        cls.tsv = cls.root / "ratings.tsv"
        cls.cli_in(cls.root, "generate", "ratings", "--factor", "0.016", "-q", "-o", cls.tsv)
        cls.records = cls.tsv.read_bytes().count(b"\n") - 1
        cls.cli_in(cls.root, "build", cls.tsv, *FLAGS, "-q", "-o", "threads.bank")
        cls.expected = (cls.root / "threads.bank").read_bytes()
        table = pyarrow.csv.read_csv(cls.tsv, parse_options=pyarrow.csv.ParseOptions(delimiter="\t"))
        pyarrow.parquet.write_table(table, cls.root / "ratings.parquet")

    def fails(self, message, *arguments):
        before = sorted(os.listdir(self.folder))
        run = self.cli_in(self.folder, *arguments, status=2)
        self.assertIn(message, run.stderr.decode())
        self.assertEqual(b"", run.stdout)
        self.assertEqual(1, len(run.stderr.decode().strip().splitlines()), run.stderr)
        self.assertEqual(before, sorted(os.listdir(self.folder)))

    def test_build_from_text_has_the_bytes_and_the_report_of_threads(self):
        report = json.loads(self.cli("build", self.tsv, *FLAGS, *SPARK, "--tasks", "3", "--strategy",
                                     "auto", "--json", "-q", "-o", "spark.bank"))
        self.assertEqual(self.expected, (self.folder / "spark.bank").read_bytes())
        self.assertEqual(("spark", 3, self.records),
                         (report["engine"], report["tasks"], report["records"]["used"]))
        job = report["jobs"][0]
        self.assertEqual(("build", 3), (job["what"], job["maps"]))
        self.assertGreater(job["shuffle_bytes"], 0)
        self.assertEqual("local[2]", report["cluster"])
        self.assertGreater(report["shipped_bytes"], 0)
        self.assertGreater(report["wall_seconds"], 0)

    def test_build_from_parquet_and_verify(self):
        self.cli("build", self.root / "ratings.parquet", *FLAGS, *SPARK, "-q", "-o", "spark.bank")
        self.assertEqual(self.expected, (self.folder / "spark.bank").read_bytes())
        threads = json.loads(self.cli("verify", "spark.bank", self.tsv, "--json", "-q"))
        found = json.loads(self.cli("verify", "spark.bank", self.tsv, *SPARK, "--json", "-q"))
        self.assertEqual(threads["groups"], found["groups"])
        self.assertEqual(threads["records"], found["records"])

    def test_wrong_masters_pythons_and_inputs(self):
        build = ["build", self.tsv, *FLAGS, "-q", "-o", "new.bank", "--engine", "spark"]
        self.fails("needs --master", *build)
        self.fails("nothing answers (127.0.0.1:1: ", *build, "--python", sys.executable, "--master",
                   "spark://127.0.0.1:1")
        self.fails("nothing answers", *build, "--python", sys.executable, "--master",
                   "sc://127.0.0.1:1")
        self.fails("--master loccal: must be local[2]", *build, "--master", "loccal")
        self.fails("cannot be started", *build, "--python", "/no/such/python", "--master", "local[1]")
        self.fails("has no package bloomery", *build, "--python", "/usr/bin/python3", "--master",
                   "local[1]")
        self.fails("is for --engine spark", "build", self.tsv, "-q", "-o", "new.bank", "--master",
                   "local[1]")
        self.fails("No such file", "build", "gone.tsv", *FLAGS, *SPARK, "-q", "-o", "new.bank")
        self.fails("standard input", "build", "-", *FLAGS, *SPARK, "-q", "-o", "new.bank")


if __name__ == "__main__":
    unittest.main()
