"""Spark on YARN: plan, build and verify through the command line on a real cluster, as ./dev cluster
starts it; and a ResourceManager that is not there, or hangs."""

import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

from support import (FLAGS, QUICK, REPOSITORY, SPARK_HOME, SparkTest, packed_environment, spark_conf)

TOOL = REPOSITORY / "tools/hadoop/cluster.py"
CLUSTER = REPOSITORY / "build/spark/test-cluster"
JARS = REPOSITORY / "build/hadoop/jars"
YARN = ["--engine", "spark", "--master", "yarn", "--python", sys.executable]
SMALL = {"spark.yarn.jars": f"local:{SPARK_HOME}/jars/*", "spark.executor.instances": "2",
         "spark.executor.memory": "512m", "spark.driver.memory": "512m",
         "spark.driver.extraJavaOptions": QUICK, "spark.executor.extraJavaOptions": QUICK,
         "spark.yarn.am.extraJavaOptions": QUICK}


class OnYarn(SparkTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.addClassCleanup(subprocess.run, [TOOL, "down", CLUSTER], check=True)
        subprocess.run([TOOL, "up", CLUSTER, JARS], check=True, stdout=subprocess.DEVNULL)
        cls.make_ratings("0.024")
        cls.write_parquet()

    def on_yarn(self, *arguments, env=None, **settings):
        return self.cli(*arguments, *YARN, *spark_conf({**SMALL, **settings}),
                        env={"HADOOP_CONF_DIR": str(CLUSTER / "conf"), **(env or {})})

    def test_plan_build_and_verify_are_those_of_threads(self):
        if os.environ.get("BLOOMERY_TEST_LONG") == "1":
            self.cli("plan", self.tsv, *FLAGS, "-q", "-o", "threads.plan")
            self.on_yarn("plan", self.tsv, *FLAGS, "-q", "--tasks", "3", "-o", "yarn.plan")
            self.assertEqual((self.folder / "threads.plan").read_bytes(),
                             (self.folder / "yarn.plan").read_bytes())
        else:
            print("yarn: plan alone: skipped: only in ./dev test all; build makes the same plan", flush=True)

        # The containers get what they need with the job.
        report = json.loads(self.on_yarn(
            "build", self.tsv, *FLAGS, "--json", "-q", "--tasks", "3", "-o", "yarn.bank",
            env={"PYSPARK_PYTHON": "./environment/bin/python"},
            **{"spark.archives": f"{packed_environment()}#environment"}))
        self.assertEqual(self.expected, (self.folder / "yarn.bank").read_bytes())
        self.assertEqual(("yarn", 3, self.records),
                         (report["cluster"], report["tasks"], report["records"]["used"]))
        self.assertRegex(report["jobs"][0]["id"], r"^application_\d+_\d+$")

        # From HDFS, for Parquet is read by Spark.
        address = f"hdfs://localhost:{json.loads((CLUSTER / 'ports.json').read_text())['fs']}"
        subprocess.run([CLUSTER / "bin/hadoop", "fs", "-put", self.parquet, f"{address}/ratings.parquet"],
                       check=True, stderr=subprocess.DEVNULL)
        expected = json.loads(self.cli("verify", "yarn.bank", self.tsv, "--json", "-q"))
        found = json.loads(self.on_yarn("verify", "yarn.bank", f"{address}/ratings.parquet", "--json",
                                        "-q"))
        self.assertEqual(expected["groups"], found["groups"])
        self.assertEqual(self.records, found["records"]["used"])

    def test_a_resource_manager_that_does_not_answer(self):
        build = ["build", self.tsv, *FLAGS, "-q", "-f", "-o", "kept.bank", *YARN]
        (self.folder / "kept.bank").write_bytes(b"kept")
        self.fails("HADOOP_CONF_DIR is not set", *build, env={"HADOOP_CONF_DIR": ""})
        self.fails("no yarn-site.xml in /tmp", *build, env={"HADOOP_CONF_DIR": "/tmp"})

        conf = self.root / "conf"
        shutil.copytree(CLUSTER / "conf", conf)
        port = json.loads((CLUSTER / "ports.json").read_text())["rm"]
        site = conf / "yarn-site.xml"
        site.write_text(site.read_text().replace(f"localhost:{port}", "localhost:1"))
        self.fails("the ResourceManager does not answer (localhost:1: ", *build,
                   env={"HADOOP_CONF_DIR": str(conf)})

        # One that hangs still takes connections.
        manager = json.loads((CLUSTER / "processes.json").read_text())["resourcemanager"]["pid"]
        os.kill(manager, signal.SIGSTOP)
        self.addCleanup(os.kill, manager, signal.SIGCONT)
        self.fails(f"the ResourceManager does not answer (localhost:{port}: no answer)", *build,
                   env={"HADOOP_CONF_DIR": str(CLUSTER / "conf")})


if __name__ == "__main__":
    unittest.main()
