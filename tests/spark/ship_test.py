"""A standalone cluster whose workers know no bloomery: the environment is sent along, by the command
line with its job, and by a Spark Connect client, which has no JVM, with its session. The two workers
have different host names, because Spark starts no speculative copy on the host of the original."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock

from bloomery import errors
from bloomery import spark as bs
from support import (FLAGS, QUICK, RECIPE, SPARK_HOME, SparkTest, events, packed_environment,
                     spark_conf)

HOSTS = ("127.0.0.1", "127.0.0.2")
SMALL = {"spark.executor.memory": "600m", "spark.executor.cores": "1", "spark.cores.max": "2",
         "spark.executor.extraJavaOptions": QUICK, "spark.driver.extraJavaOptions": QUICK}
SPECULATION = {"spark.speculation": "true", "spark.speculation.quantile": "0.5",
               "spark.speculation.interval": "100ms", "spark.eventLog.enabled": "true",
               "spark.eventLog.compress": "false"}


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
        cls.archive = packed_environment()
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
        cls.workers = [
            cls.start({**clean, "SPARK_LOCAL_IP": host}, spark_class,
                      "org.apache.spark.deploy.worker.Worker", "--host", host, "--cores", "2", "--memory",
                      "2g", "--work-dir", cls.root / f"work-{host}", "--webui-port", free_port(),
                      f"spark://127.0.0.1:{cls.master}")
            for host in HOSTS]
        cls.logs = cls.root / "logs"
        cls.logs.mkdir()
        server = cls.start(
            {**clean, "SPARK_DAEMON_MEMORY": "800m"},
            os.path.join(SPARK_HOME, "bin", "spark-submit"), "--class",
            "org.apache.spark.sql.connect.service.SparkConnectServer", "--master",
            f"spark://127.0.0.1:{cls.master}", *cls.conf({
                "spark.connect.grpc.binding.port": cls.connect, **SMALL, **SPECULATION,
                "spark.eventLog.dir": f"file://{cls.logs}", "spark.ui.enabled": "false",
                "spark.log.level": "ERROR"}),
            "spark-internal")
        wait_for(cls.connect, server)
        from pyspark.sql import SparkSession
        cls.session = SparkSession.builder.remote(f"sc://127.0.0.1:{cls.connect}").getOrCreate()
        cls.addClassCleanup(cls.session.stop)
        cls.session.addArtifacts(f"{cls.archive}#environment", archive=True)
        cls.session.conf.set("spark.sql.execution.pyspark.python", "environment/bin/python")
        cls.make_ratings("0.024")

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
        self.cli("build", self.tsv, *FLAGS, "-q", "-o", "sent.bank", "--tasks", "2", "--python",
                 sys.executable, "--engine", "spark", "--master", f"spark://127.0.0.1:{self.master}",
                 *spark_conf({**SMALL, "spark.archives": f"{self.archive}#environment"}),
                 env={"PYSPARK_PYTHON": "./environment/bin/python"})
        self.assertEqual(self.expected, (self.folder / "sent.bank").read_bytes())

    def test_connect_builds_verifies_and_asks_with_the_bytes_of_threads(self):
        files = bs.TextFiles(self.session, [self.tsv], tasks=3)
        self.assert_executors_have_what_was_sent()
        rows = [line.split("\t") for line in self.tsv.read_text().splitlines()[1:]]
        frame = self.session.createDataFrame([(row[0], row[1]) for row in rows],
                                             "tconst string, averageRating string")
        for data in (files, frame):
            bank = bs.build(data, output=self.folder / "connect.bank", overwrite=True, **RECIPE)
            self.assertEqual(self.expected, (self.folder / "connect.bank").read_bytes())
            self.assertEqual(self.records, bank.facts["records"]["used"])
        # A bank that Connect could not hand over at once: few parts at a time.
        with unittest.mock.patch("bloomery.spark.jobs.CONNECT_PARTS", 3):
            bs.build(frame, output=self.folder / "connect.bank", overwrite=True, **RECIPE)
        self.assertEqual(self.expected, (self.folder / "connect.bank").read_bytes())
        found = bs.verify(bank, bs.TextFiles(self.session, [self.tsv], tasks=2))
        self.assertEqual(json.loads(self.cli("verify", bank.path, self.tsv, "--json",
                                             "-q"))["groups"], found.groups)
        asked = frame.limit(100).select(bs.may_contain(bank, "tconst", session=self.session)
                                        .alias("maybe"))
        self.assertEqual([True] * 100, [row.maybe for row in asked.collect()])
        with self.assertRaisesRegex(errors.NotFoundError, 'no column "tkonst"'):
            bs.build(frame, key="tkonst", output=self.folder / "none.bank")
        self.assertEqual(["connect.bank"], os.listdir(self.folder))

    def test_speculative_copies_change_nothing(self):
        # A first job, so that both hosts have their processes.
        self.session.range(0, 8, 1, 8).mapInArrow(lambda batches: batches, "id bigint").count()
        stopped = pythons_of(self.workers[1].pid)
        self.assertTrue(stopped, "no Python on the second host")
        before = len(list(events(self.logs)))
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        self.addCleanup(resume, stopped)
        resumer = threading.Thread(target=self.resume_when_a_copy_won, args=(stopped, before))
        resumer.start()
        bank = bs.build(bs.TextFiles(self.session, [self.tsv], tasks=4), **RECIPE,
                        output=self.folder / "speculated.bank")
        resumer.join()
        self.assertEqual(self.expected, (self.folder / "speculated.bank").read_bytes())
        self.assertEqual(self.records, bank.facts["records"]["used"])
        self.assertTrue(self.copies_that_won(before), "no speculative copy ran to its end")

    def copies_that_won(self, before):
        return [event for event in list(events(self.logs))[before:]
                if event["Event"] == "SparkListenerTaskEnd" and event["Task Info"]["Speculative"]
                and event["Task End Reason"]["Reason"] == "Success"]

    def resume_when_a_copy_won(self, stopped, before):
        end = time.monotonic() + 120
        while time.monotonic() < end and not self.copies_that_won(before):
            time.sleep(0.2)
        resume(stopped)


def pythons_of(session):
    """The Python processes of a worker, which is the leader of its session."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            is_python = "python" in os.path.basename(os.readlink(folder / "exe"))
            if is_python and os.getsid(int(folder.name)) == session:
                found.append(int(folder.name))
        except OSError:
            pass  # it has ended
    return found


def resume(pids):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


if __name__ == "__main__":
    unittest.main()
