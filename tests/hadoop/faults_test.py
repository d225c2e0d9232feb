"""Attempts that are killed, jobs that fail, commands that are interrupted."""

import json
import os
import pathlib
import signal
import subprocess
import threading
import time
import urllib.request

from cluster_case import CLUSTER, IS_LONG, PROGRAM, SOURCE, ClusterCase


def processes(words, node="nm"):
    """Processes in the folders of that node, or any, whose command line holds all of the words."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            place = os.readlink(entry / "cwd")
        except OSError:
            continue
        if place.startswith(f"{CLUSTER}/{node}") and all(word in line for word in words):
            found.append(int(entry.name))
    return found


class Killer(threading.Thread):
    """Kills the first process of each kind that shows up, once."""

    def __init__(self, *kinds):
        super().__init__(daemon=True)
        self.kinds, self.hit, self.is_over = list(kinds), [], False

    def run(self):
        while self.kinds and not self.is_over:
            for kind in list(self.kinds):
                for pid in processes(kind):
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        continue
                    self.hit.append((kind, pid))
                    self.kinds.remove(kind)
                    break
            time.sleep(0.002)


WORKER_OF_MAP = ("bloomery-worker", "map")
WORKER_OF_REDUCE = ("bloomery-worker", "reduce")
# A container of a map: "YarnChild ... attempt_..._m_..."
JVM_OF_MAP = ("YarnChild", "_m_")
JVM_OF_REDUCE = ("YarnChild", "_r_")


class Faults(ClusterCase):
    def setUp(self):
        super().setUp()
        self.bloomery("generate", "words", "-n", "3000000", "-o", "w.txt")
        self.bloomery("plan", "w.txt", "-o", "w.plan")
        self.build = ("build", "w.txt", "--plan-from", "w.plan", "-f", "-o", "h.bank")

    def run_with(self, killer, *flags):
        killer.start()
        try:
            return self.hadoop(*self.build, *flags)
        finally:
            killer.is_over = True
            killer.join()

    def test_killed_attempts_with_speculation(self):
        self.bloomery("build", "w.txt", "--plan-from", "w.plan", "-o", "t.bank")
        killer = Killer(WORKER_OF_MAP, JVM_OF_MAP, WORKER_OF_REDUCE, JVM_OF_REDUCE)
        built = self.run_with(killer, "--tasks", "4", "--strategy", "filters",
                              "--hadoop-set", "mapreduce.map.speculative=true",
                              "--hadoop-set", "mapreduce.reduce.speculative=true")
        self.assertEqual([], killer.kinds, "something was not there to be killed")
        self.assertGreaterEqual(built["jobs"][0]["failed_attempts"], 2)
        self.assert_same_file("t.bank", "h.bank")
        self.assertEqual(3000000, built["records"]["used"])

    def test_a_task_that_fails_for_good(self):
        killer = Killer(WORKER_OF_MAP)
        killer.start()
        done = self.run_program(*self.build, *self.quick(), "--tasks", "1", "--hadoop-set",
                                "mapreduce.map.maxattempts=1")
        killer.is_over = True
        killer.join()
        message = done.stderr.decode()
        self.assertEqual(2, done.returncode, message)
        self.assertRegex(message, r"the build job job_\d+_\d+ failed:")
        self.assertIn("subprocess failed with code 137", message)
        self.assertFalse((self.folder / "h.bank").exists())

    def test_a_container_that_is_killed_for_memory(self):
        # Java takes its whole heap at once, which is more than the container may have.
        done = self.run_program(*self.build, "--engine", "hadoop", "--tasks", "1",
                                "--hadoop-set", "mapreduce.map.java.opts=-Xms600m -Xmx600m -XX:+AlwaysPreTouch",
                                "--hadoop-set", "mapreduce.map.memory.mb=300",
                                "--hadoop-set", "mapreduce.map.maxattempts=1")
        message = done.stderr.decode()
        self.assertEqual(2, done.returncode, message)
        self.assertRegex(message, r"the build job job_\d+_\d+ failed:")
        self.assertIn("beyond the 'PHYSICAL' memory limit", message)
        self.assertFalse((self.folder / "h.bank").exists())

    def test_what_a_task_says_is_shown(self):
        # A site that forces a framing of its own upon the reduces: they cannot read their input, and say so.
        done = self.run_program(*self.build, *self.quick(), "--tasks", "1", "--hadoop-set", "stream.reduce.input=text",
                                "--hadoop-set", "mapreduce.reduce.maxattempts=1")
        message = done.stderr.decode()
        self.assertEqual(2, done.returncode, message)
        self.assertRegex(message, r"the build job job_\d+_\d+ failed:")
        self.assertRegex(message, r"the task: bloomery worker: records from Hadoop: ")
        self.assertFalse((self.folder / "h.bank").exists())

    def test_interrupting_the_command_kills_the_job(self):
        running = subprocess.Popen([PROGRAM, *self.build, *self.quick()], cwd=self.folder,
                                   env=self.environment(), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 120
            while not processes(WORKER_OF_MAP) and time.monotonic() < deadline:
                time.sleep(0.05)
            before = self.applications("RUNNING")
            self.assertEqual(1, len(before))
            running.send_signal(signal.SIGINT)
            self.assertEqual(-signal.SIGINT, running.wait(timeout=90))
        finally:
            running.kill()
        # The command has asked for it; the cluster takes a moment.
        while before[0] not in self.applications("FINISHED,KILLED", "KILLED"):
            self.assertNotIn(before[0], self.applications("FINISHED,FAILED", "SUCCEEDED"))
            time.sleep(0.5)
        self.assertFalse((self.folder / "h.bank").exists())

    def applications(self, states, final=None):
        url = f"http://localhost:{self.ports['rm_http']}/ws/v1/cluster/apps?states={states}"
        request = urllib.request.Request(url, headers={"Accept": "application/json"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
            apps = (json.load(answer)["apps"] or {}).get("app", [])
        apps = apps if isinstance(apps, list) else [apps]
        return [app["id"] for app in apps if final in (None, app["finalStatus"])]

    def test_a_filter_that_no_task_can_hold_is_refused_before_the_job(self):
        message = self.fails(*self.build, "--engine", "hadoop", "--memory", "64MiB")
        self.assertIn('group "all": its filter takes', message)
        self.assertIn("--strategy indexes", message)


class LostNode(ClusterCase):
    def test_a_node_that_dies(self):
        if not IS_LONG:
            print("hadoop: LostNode: skipped: only in ./dev test all", flush=True)
            return
        self.bloomery("generate", "words", "-n", "6000000", "-o", "w.txt")
        self.bloomery("plan", "w.txt", "-o", "w.plan")
        self.bloomery("build", "w.txt", "--plan-from", "w.plan", "-o", "t.bank")
        node = json.loads((CLUSTER / "processes.json").read_text())["nodemanager1"]["pid"]

        jars = CLUSTER.parent / "jars"
        self.addCleanup(subprocess.run, [SOURCE / "tools/hadoop/cluster.py", "up", CLUSTER, jars], check=True)
        hit = []

        def kill_node():
            while not hit:
                hit.extend(processes(WORKER_OF_MAP, "nm1"))
                time.sleep(0.01)
            os.kill(node, signal.SIGKILL)
            for pid in processes((), "nm1"):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

        killer = threading.Thread(target=kill_node, daemon=True)
        killer.start()
        built = self.hadoop("build", "w.txt", "--plan-from", "w.plan", "-o", "h.bank", "--tasks", "6",
                            "--hadoop-set", "mapreduce.map.speculative=true")
        self.assertTrue(hit, "no attempt ran on the node that died")
        self.assert_same_file("t.bank", "h.bank")
        self.assertEqual(6000000, built["records"]["used"])
