"""Runs bloomery against the real cluster that ./dev test has started, beside the threads engine."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["BLOOMERY"]
CLUSTER = pathlib.Path(os.environ["BLOOMERY_CLUSTER"])
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
IS_LONG = os.environ.get("BLOOMERY_TEST_LONG") == "1"
# Tasks of these tests are short: Java should start fast, not run fast.
QUICK = "-Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
TIMEOUT_S = 600


class ClusterCase(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        # A missing cluster is a failure, not a reason to skip.
        if not (CLUSTER / "processes.json").exists():
            raise RuntimeError(f"no cluster in {CLUSTER}: ./dev test hadoop starts one")

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bloomery-hadoop-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.address = "hdfs://localhost:" + str(self.ports["fs"])

    @property
    def ports(self):
        return json.loads((CLUSTER / "ports.json").read_text())

    def environment(self, **more):
        env = {name: os.environ[name] for name in ("PATH", "HOME", "JAVA_HOME") if name in os.environ}
        env["PATH"] = f"{CLUSTER}/bin:{env['PATH']}"
        return {**env, **more}

    def run_program(self, *arguments, env=None, stdin=b""):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder,
                              env=env or self.environment(), input=stdin, capture_output=True,
                              timeout=TIMEOUT_S, check=False)

    def bloomery(self, *arguments, status=0, **keywords):
        done = self.run_program(*arguments, **keywords)
        self.assertEqual(status, done.returncode, done.stderr.decode())
        return done

    def fails(self, *arguments, **keywords):
        """It fails with status 2 and prints nothing; gives the message."""
        done = self.run_program(*arguments, **keywords)
        message = done.stderr.decode()
        self.assertEqual((2, b""), (done.returncode, done.stdout), message)
        return message

    def threads(self, *arguments):
        return json.loads(self.bloomery(*arguments, "--json").stdout)

    def hadoop(self, *arguments, status=0):
        done = self.bloomery(*arguments, *self.quick(), "--json", status=status)
        return json.loads(done.stdout)

    @staticmethod
    def quick():
        return ("--engine", "hadoop", "--hadoop-set", f"mapreduce.map.java.opts={QUICK}",
                "--hadoop-set", f"mapreduce.reduce.java.opts={QUICK}")

    def fs(self, *arguments, status=0):
        done = subprocess.run([CLUSTER / "bin/hadoop", "fs", *map(str, arguments)], check=False,
                              capture_output=True, timeout=120)
        self.assertEqual(status, done.returncode, done.stderr.decode())
        return done.stdout

    def digest(self, name):
        return hashlib.sha256((self.folder / name).read_bytes()).hexdigest()

    def assert_same_file(self, expected, found):
        self.assertEqual(self.digest(expected), self.digest(found))

    def assert_same_records(self, expected, found):
        """Counts by file, rejected records with their samples."""
        self.assertEqual(expected["records"], found["records"])
        self.assertEqual(expected["rejected"], found["rejected"])
        self.assertEqual([one["records"] for one in expected["inputs"]],
                         [one["records"] for one in found["inputs"]])
