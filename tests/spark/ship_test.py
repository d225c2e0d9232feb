"""A standalone cluster whose workers know no bloomery: the environment is sent along, by the command
line with its job, and by a Spark Connect client, which has no JVM, with its session."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import unittest

from bloomery import errors
from bloomery import spark as bs
from support import PROGRAM, QUICK, RECIPE, SPARK_HOME, SparkTest

SMALL = {"spark.executor.memory": "700m", "spark.executor.cores": "1", "spark.cores.max": "1"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process, seconds=180):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise AssertionError(f"ended with {process.returncode}: "
                                 f"{pathlib.Path(process.log).read_text()[-2000:]}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.3)
    raise AssertionError(f"nothing listens on port {port}")


class Shipped(SparkTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        archive = cls.root / "environment.tar.gz"
        subprocess.run([sys.executable, "-m", "bloomery.spark.pack", archive], check=True)
        cls.archive = archive
        cls.master, cls.connect = free_port(), free_port()
        # Nothing of this environment is on the path of the workers.
        clean = {"PATH": "/usr/bin:/bin", "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": SPARK_HOME,
                 "SPARK_DAEMON_JAVA_OPTS": QUICK, "SPARK_DAEMON_MEMORY": "256m"}
        if "JAVA_HOME" in os.environ:
            clean["JAVA_HOME"] = os.environ["JAVA_HOME"]
        spark_class = os.path.join(SPARK_HOME, "bin", "spark-class")
        master = cls.start(clean, spark_class, "org.apache.spark.deploy.master.Master", "--host",
                           "127.0.0.1", "--port", cls.master, "--webui-port", free_port())
        wait_for(cls.master, master)
        cls.start(clean, spark_class, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1",
                  "--cores", "2", "--memory", "2g", "--work-dir", cls.root / "work",
                  "--webui-port", free_port(), f"spark://127.0.0.1:{cls.master}")
        server = cls.start(
            {**clean, "SPARK_DAEMON_MEMORY": "800m"},
            os.path.join(SPARK_HOME, "bin", "spark-submit"), "--class",
            "org.apache.spark.sql.connect.service.SparkConnectServer", "--master",
            f"spark://127.0.0.1:{cls.master}", *cls.conf({
                "spark.connect.grpc.binding.port": cls.connect, **SMALL,
                "spark.ui.enabled": "false", "spark.log.level": "ERROR",
                "spark.executor.extraJavaOptions": QUICK, "spark.driver.extraJavaOptions": QUICK}),
            "spark-internal")
        wait_for(cls.connect, server)
        from pyspark.sql import SparkSession
        cls.session = SparkSession.builder.remote(f"sc://127.0.0.1:{cls.connect}").getOrCreate()
        cls.addClassCleanup(cls.session.stop)
        cls.tsv = cls.root / "ratings.tsv"
        cls.cli_in(cls.root, "generate", "ratings", "--factor", "0.024", "-q", "-o", cls.tsv)
        cls.records = cls.tsv.read_bytes().count(b"\n") - 1
        cls.cli_in(cls.root, "build", cls.tsv, "--key", RECIPE["key"], "--group", RECIPE["group"],
                   "-q", "-o", "threads.bank")
        cls.expected = (cls.root / "threads.bank").read_bytes()

    @classmethod
    def start(cls, environment, *words):
        log = open(cls.root / f"log-{len(os.listdir(cls.root))}", "wb")
        process = subprocess.Popen([str(word) for word in words], env=environment, stdout=log,
                                   stderr=log, stdin=subprocess.DEVNULL, cwd=cls.root,
                                   start_new_session=True)
        log.close()
        process.log = log.name

        def stop():
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

        cls.addClassCleanup(stop)
        return process

    def assert_executors_have_what_was_sent(self):
        def where(batches):  # in here, because the executors know no module of this name
            import bloomery
            import pyarrow
            for _ in batches:
                yield pyarrow.RecordBatch.from_pydict({"module": [bloomery.__file__]})

        row = self.session.range(0, 1, 1, 1).mapInArrow(where, "module string").first()
        self.assertIn("/environment/lib/", row.module)
        self.assertIn(str(self.root), row.module)

    @staticmethod
    def conf(settings):
        return [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]

    def test_the_command_line_sends_an_environment_along(self):
        environment = {**os.environ, "PYSPARK_PYTHON": "./environment/bin/python"}
        subprocess.run(
            [PROGRAM, "build", self.tsv, "--key", RECIPE["key"], "--group", RECIPE["group"], "-q",
             "-o", self.folder / "sent.bank", "--tasks", "2", "--python", sys.executable,
             "--engine", "spark", "--master", f"spark://127.0.0.1:{self.master}",
             *[word.replace("--conf", "--spark-conf") for word in self.conf(
                 {**SMALL, "spark.archives": f"{self.archive}#environment"})]],
            env=environment, check=True)
        self.assertEqual(self.expected, (self.folder / "sent.bank").read_bytes())

    def test_connect_builds_verifies_and_asks_with_the_bytes_of_threads(self):
        files = bs.TextFiles(self.session, [self.tsv], tasks=3)
        self.session.addArtifacts(f"{self.archive}#environment", archive=True)
        self.session.conf.set("spark.sql.execution.pyspark.python", "environment/bin/python")
        self.assert_executors_have_what_was_sent()
        rows = [line.split("\t") for line in self.tsv.read_text().splitlines()[1:]]
        frame = self.session.createDataFrame([(row[0], row[1]) for row in rows],
                                             "tconst string, averageRating string")
        for data in (files, frame):
            bank = bs.build(data, output=self.folder / "connect.bank", overwrite=True, **RECIPE)
            self.assertEqual(self.expected, (self.folder / "connect.bank").read_bytes())
            self.assertEqual(self.records, bank.facts["records"]["used"])
        found = bs.verify(bank, bs.TextFiles(self.session, [self.tsv], tasks=2))
        self.assertEqual(json.loads(self.cli("verify", bank.path, self.tsv, "--json",
                                             "-q"))["groups"], found.groups)
        asked = frame.limit(100).select(bs.may_contain(bank, "tconst", session=self.session)
                                        .alias("maybe"))
        self.assertEqual([True] * 100, [row.maybe for row in asked.collect()])
        with self.assertRaisesRegex(errors.NotFoundError, 'no column "tkonst"'):
            bs.build(frame, key="tkonst", output=self.folder / "none.bank")
        self.assertEqual(["connect.bank"], os.listdir(self.folder))


if __name__ == "__main__":
    unittest.main()
