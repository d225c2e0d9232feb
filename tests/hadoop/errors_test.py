"""What is wrong is said in one message with status 2, and nothing is replaced."""

import os
import shutil

from cluster_case import CLUSTER, ClusterCase


class Errors(ClusterCase):
    def setUp(self):
        super().setUp()
        (self.folder / "a.txt").write_text("a\nb\n")
        self.build = ("build", "a.txt", "-o", "x.bank", "--engine", "hadoop")

    def without_hadoop(self, **more):
        java = os.path.dirname(os.path.realpath(shutil.which("java")))
        return {"PATH": "/nowhere", "JAVA_HOME": os.path.dirname(java), **more}

    def test_no_hadoop(self):
        message = self.fails(*self.build, env=self.without_hadoop())
        self.assertEqual("bloomery build: no Hadoop: there is no hadoop on PATH and no HADOOP_HOME; "
                         "set one of them, or give --hadoop-classpath\n", message)
        message = self.fails(*self.build, env=self.without_hadoop(HADOOP_HOME="/nowhere"))
        self.assertIn("HADOOP_HOME is /nowhere, and there is no bin/hadoop in it", message)
        message = self.fails("query", f"{self.address}/x", "a", env=self.without_hadoop())
        self.assertIn("no Hadoop", message)

    def test_hadoop_home_and_class_path_are_found(self):
        jars = CLUSTER.parent / "jars"
        for flags, env in (((), self.without_hadoop(HADOOP_HOME=str(CLUSTER))),
                           (("--hadoop-classpath", f"{CLUSTER}/conf:{jars}/*"), self.without_hadoop())):
            message = self.fails("inspect", f"{self.address}/no/such.bank", *flags, env=env)
            self.assertIn("No such file or directory", message)
            self.assertIn("/no/such.bank", message)

    def test_flags_of_hadoop_alone(self):
        self.assertIn("is for --engine hadoop",
                      self.fails("build", "a.txt", "-o", "x.bank", "--reducers", "2"))
        self.assertIn("only --engine hadoop reads it", self.fails("plan", "hdfs://x/y"))
        self.assertIn("only --engine hadoop writes there", self.fails("build", "a.txt", "-o", "hdfs://x/y"))

    def test_output_exists(self):
        (self.folder / "x.bank").write_text("mine")
        self.assertIn("x.bank: exists; -f replaces it", self.fails(*self.build))
        self.assertEqual("mine", (self.folder / "x.bank").read_text())
        self.fs("-put", "-f", self.folder / "a.txt", "/there")
        message = self.fails("build", "a.txt", "-o", f"{self.address}/there", "--engine", "hadoop")
        self.assertIn("/there: exists; -f replaces it", message)
        self.assertEqual(b"a\nb\n", self.fs("-cat", "/there"))

    def test_a_cluster_that_is_down(self):
        conf = self.folder / "conf"
        conf.mkdir()
        (conf / "core-site.xml").write_text(
            "<configuration><property><name>fs.defaultFS</name><value>hdfs://localhost:1</value></property>"
            "<property><name>ipc.client.connect.max.retries</name><value>1</value></property></configuration>")
        jars = CLUSTER.parent / "jars"
        message = self.fails(*self.build, "--hadoop-classpath", f"{conf}:{jars}/*")
        self.assertIn("Connection refused", message)
        self.assertFalse((self.folder / "x.bank").exists())
