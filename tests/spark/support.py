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

import bloomery
import pyarrow.csv
import pyarrow.parquet
import pyspark

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("BLOOMERY", "bloomery")
SPARK_HOME = os.path.dirname(pyspark.__file__)
os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
               "SPARK_HOME": SPARK_HOME}
RECIPE = {"key": "tconst", "group": "round(averageRating)"}
FLAGS = ["--key", RECIPE["key"], "--group", RECIPE["group"]]

QUICK = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
SETTINGS = {
    "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "4",
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


def packed_environment():
    """The archive for executors that have nothing: made again when the package is newer."""
    archive = REPOSITORY / "build/spark/environment.tar.gz"
    package = pathlib.Path(bloomery.__file__).parent
    newest = max(path.stat().st_mtime for path in [package, *package.rglob("*.py"), *package.glob("*.so")])
    if not archive.is_file() or archive.stat().st_mtime < newest:
        archive.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "bloomery.spark.pack", archive], check=True)
    return archive


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


def spark_conf(settings):
    return [word for name, value in settings.items() for word in ("--spark-conf", f"{name}={value}")]


class SparkTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="bloomery-spark-"))
        cls.addClassCleanup(shutil.rmtree, cls.root, True)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.root))

    @classmethod
    def make_ratings(cls, factor):
        """A table of films, and the bank that the threads engine makes of it."""
        cls.tsv = cls.root / "ratings.tsv"
        cls.cli_in(cls.root, "generate", "ratings", "--factor", factor, "-q", "-o", cls.tsv)
        cls.records = cls.tsv.read_bytes().count(b"\n") - 1
        cls.cli_in(cls.root, "build", cls.tsv, *FLAGS, "-q", "-o", "threads.bank")
        cls.expected = (cls.root / "threads.bank").read_bytes()

    @classmethod
    def write_parquet(cls):
        cls.parquet = cls.root / "ratings.parquet"
        tabs = pyarrow.csv.ParseOptions(delimiter="\t")
        pyarrow.parquet.write_table(pyarrow.csv.read_csv(cls.tsv, parse_options=tabs), cls.parquet,
                                    row_group_size=10_000)

    def fails(self, message, *arguments, env=None):
        """The command says this, in one line, with status 2, and leaves everything as it was."""
        def content():
            return {path.name: path.read_bytes() for path in self.folder.iterdir()}

        before = content()
        run = self.cli_in(self.folder, *arguments, status=2, env=env)
        self.assertIn(message, run.stderr.decode())
        self.assertEqual(b"", run.stdout)
        self.assertEqual(1, len(run.stderr.decode().strip().splitlines()), run.stderr)
        self.assertEqual(before, content())

    @classmethod
    def cli_in(cls, folder, *arguments, status=0, env=None):
        run = subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True,
                             check=False, env=None if env is None else {**os.environ, **env})
        if run.returncode != status:
            raise AssertionError(f"{arguments}: {run.returncode}: {run.stderr.decode()}")
        return run

    def cli(self, *arguments, **keywords):
        return self.cli_in(self.folder, *arguments, **keywords).stdout
