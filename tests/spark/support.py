"""Real Spark for the tests: executors that are processes of their own, and an event log."""

import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import pyspark

PROGRAM = os.environ.get("BLOOMERY", "bloomery")
SPARK_HOME = os.path.dirname(pyspark.__file__)
os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
               "SPARK_HOME": SPARK_HOME}
RECIPE = {"key": "tconst", "group": "round(averageRating)"}

QUICK = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
SETTINGS = {
    "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "4",
    "spark.driver.extraJavaOptions": QUICK, "spark.executor.extraJavaOptions": QUICK,
    "spark.log.level": "ERROR", "spark.eventLog.enabled": "true",
    "spark.eventLog.compress": "false",
}


def local_cluster(log_folder, **settings):
    """A session on two executors of one core each, which are JVMs of their own."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("bloomery tests")
    for name, value in {**SETTINGS, "spark.eventLog.dir": str(log_folder), **settings}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def remove_work():
    """Executors of a local cluster leave their folders inside the installed PySpark."""
    for folder in glob.glob(os.path.join(SPARK_HOME, "work", "app-*")):
        shutil.rmtree(folder, True)


def events(log_folder):
    """The event log, as far as it is written."""
    for path in sorted(pathlib.Path(log_folder).rglob("*")):
        if path.is_file() and "events" in path.name or path.suffix == ".inprogress":
            for line in path.read_text(errors="replace").splitlines():
                try:
                    yield json.loads(line)
                except ValueError:
                    pass  # the line that is being written


class SparkTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="bloomery-spark-"))
        cls.addClassCleanup(shutil.rmtree, cls.root, True)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.root))

    @classmethod
    def cli_in(cls, folder, *arguments, status=0):
        run = subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True,
                             check=False)
        if run.returncode != status:
            raise AssertionError(f"{arguments}: {run.returncode}: {run.stderr.decode()}")
        return run

    def cli(self, *arguments, **keywords):
        return self.cli_in(self.folder, *arguments, **keywords).stdout
