"""--engine spark: the same bytes, counts and report; and every way to get it wrong."""

import json
import os
import sys
import unittest

from support import FLAGS, QUICK, SparkTest, remove_work, spark_conf

SPARK = ["--engine", "spark", "--master", "local[2]", "--python", sys.executable,
         *spark_conf({"spark.driver.extraJavaOptions": QUICK})]


class CommandLine(SparkTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.addClassCleanup(remove_work)
        cls.make_ratings("0.016")
        cls.write_parquet()

    def test_build_from_text_has_the_bytes_and_the_report_of_threads(self):
        # Paths may hold any bytes; one record is bad.
        name, bank = os.fsdecode(b"r\xe4tings.tsv"), os.fsdecode(b"b\xe4nk")
        (self.folder / name).write_bytes(self.tsv.read_bytes() + b"one field\n")
        self.cli("build", name, *FLAGS, "-q", "-o", "threads.bank", "--rejects", "threads.rejects")
        report = json.loads(self.cli("build", name, *FLAGS, *SPARK, "--tasks", "3", "--strategy", "auto",
                                     "--json", "-q", "-o", bank, "--rejects", "spark.rejects"))
        self.assertEqual(self.expected, (self.folder / bank).read_bytes())
        rejects = (self.folder / "spark.rejects").read_bytes()
        self.assertEqual((self.folder / "threads.rejects").read_bytes(), rejects)
        self.assertIn(b'"file_b64"', rejects)
        self.assertEqual(("spark", 3, self.records),
                         (report["engine"], report["tasks"], report["records"]["used"]))
        job = report["jobs"][0]
        self.assertEqual(("build", 3), (job["what"], job["maps"]))
        self.assertGreater(job["shuffle_bytes"], 0)
        self.assertEqual("local[2]", report["cluster"])
        self.assertGreater(report["shipped_bytes"], 0)
        self.assertGreater(report["wall_seconds"], 0)

    def test_build_from_parquet_and_verify(self):
        report = json.loads(self.cli("build", self.parquet, *FLAGS, *SPARK, "-q", "--json", "-o", "spark.bank"))
        self.assertEqual([str(self.parquet)], [given["name"] for given in report["inputs"]])
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
        self.fails("more than --max-bad 0.1% allows: ", "build", self.tsv, "--key", "1", "--group", "round(1)", *SPARK, "-q",
                   "-o", "new.bank")
        self.fails("none/new.bank: there is no folder ", "build", self.tsv, *FLAGS, *SPARK, "-q", "-o", "none/new.bank")
        self.fails("standard input", "build", "-", *FLAGS, *SPARK, "-q", "-o", "new.bank")
        self.fails("text is read from paths that every worker has", "build", "hdfs://host/a.tsv", *FLAGS,
                   *SPARK, "-q", "-o", "new.bank")

    def test_a_worker_out_of_memory(self):
        # Room for Python and its libraries, and not for a filter of a gigabyte.
        (self.folder / "kept.bank").write_bytes(b"kept")
        self.fails(": no memory for its 1073741824 bytes; this was a task: give its Python more room (",
                   "build", self.tsv, "--key", "1", "--bytes", "1g", "--strategy", "filters", *SPARK,
                   *spark_conf({"spark.executor.pyspark.memory": "1400m"}), "-q", "-f", "-o", "kept.bank")


if __name__ == "__main__":
    unittest.main()
