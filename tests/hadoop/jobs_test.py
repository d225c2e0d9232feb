"""Plan, build and verify on the cluster give what they give on threads, to the byte and the unit."""

import itertools
import json
import subprocess
import sys
import time

from cluster_case import CLUSTER, IS_LONG, SOURCE, ClusterCase

sys.path.append(str(SOURCE / "tests/cli"))
from schema import problems  # noqa: E402

RECIPE = ("--key", "tconst", "--group", "round(averageRating)")


class Jobs(ClusterCase):
    def setUp(self):
        super().setUp()
        self.bloomery("generate", "ratings", "--factor", "0.02", "-o", "r.tsv")
        self.bloomery("build", "r.tsv", *RECIPE, "-o", "t.bank")

    def assert_schema(self, command, document):
        schema = json.loads((SOURCE / "docs/schema" / f"{command}.json").read_text())
        self.assertEqual([], problems(document, schema))

    def test_the_three_jobs_from_hdfs_to_hdfs(self):
        place = f"{self.address}/{self.id()}"
        self.fs("-mkdir", "-p", place)
        self.fs("-put", self.folder / "r.tsv", f"{place}/r.tsv")
        done = self.bloomery("build", f"{place}/r.tsv", *RECIPE, "--tasks", "4", "--reducers", "2",
                             "-o", f"{place}/h.bank", *self.quick(), "--json", env=self.overheard())
        built = json.loads(done.stdout)
        self.assert_driver_saw_no_key_after_the_sample()
        self.fs("-get", f"{place}/h.bank", self.folder / "h.bank")
        self.assert_same_file("t.bank", "h.bank")

        self.assert_schema("build", built)
        # The run record: two jobs, with the cluster's own figures.
        plan, build = built["jobs"]
        self.assertEqual(("plan", 4, 2), (plan["what"], plan["maps"], plan["reduces"]))
        self.assertEqual(("build", 4, 2), (build["what"], build["maps"], build["reduces"]))
        self.assertRegex(build["id"], r"^job_\d+_\d+$")
        for job in (plan, build):
            for figure in ("map_output_bytes", "shuffle_bytes", "wall_seconds", "cpu_seconds",
                           "peak_memory"):
                self.assertGreater(job[figure], 0, figure)
        # `auto` says what it chose for each group, and what the others would have weighed.
        self.assertEqual("auto", built["strategy"])
        for group in built["shipped"]:
            self.assertLessEqual(group["auto"], min(group["indexes"], group["filters"]))
        read = built["records"]
        self.assertEqual(read["read"], sum(read[part] for part in
                                           ("used", "rejected", "missing", "blank", "header")))

        # By a path below the user's folder, which only the cluster knows.
        self.fs("-mkdir", "-p", "near")
        self.fs("-put", "-f", self.folder / "r.tsv", "near/far.tsv")
        verified = self.hadoop("verify", f"{place}/h.bank", "near/far.tsv", "--tasks", "3",
                               "--reducers", "2")
        expected = self.threads("verify", "t.bank", "r.tsv")
        self.assertEqual(expected["groups"], verified["groups"])
        self.assert_same_records(expected, verified)
        self.assertEqual(3, verified["jobs"][0]["maps"])
        self.assert_schema("verify", verified)

        # A bank on HDFS is asked and looked at through the site's own client.
        key = (self.folder / "r.tsv").read_text().splitlines()[1].split("\t")[0]
        far = self.bloomery("query", f"{place}/h.bank", key).stdout
        self.assertEqual(self.bloomery("query", "t.bank", key).stdout, far)
        far = json.loads(self.bloomery("inspect", f"{place}/h.bank", "--json").stdout)
        near = json.loads(self.bloomery("inspect", "t.bank", "--json").stdout)
        self.assertEqual(near["banks"][0]["digest"], far["banks"][0]["digest"])
        # -f replaces a bank, and never a folder.
        self.bloomery("plan", "r.tsv", *RECIPE, "--kind", "classic", "-o", "r.plan")
        self.bloomery("build", "r.tsv", "--plan-from", "r.plan", "-o", "c.bank")
        replace = ("build", "near/far.tsv", "--plan-from", "r.plan", "-f", "--lines-per-task", "9000", "-o")
        self.hadoop(*replace, f"{place}/h.bank")
        self.fs("-get", "-f", f"{place}/h.bank", self.folder / "h.bank")
        self.assert_same_file("c.bank", "h.bank")
        self.assertIn("is a folder", self.fails(*replace, place, "--engine", "hadoop"))
        self.assertIn("for a pattern", self.fails(*replace, f"{place}/*", "--engine", "hadoop"))
        left = self.fs("-ls", "-C", place).decode().split()
        self.assertEqual([f"{place}/h.bank", f"{place}/r.tsv"], sorted(left))
        # Nothing of the jobs stays behind.
        self.assertNotIn(b"/tmp/bloomery-", self.fs("-ls", "/tmp"))

    def overheard(self):
        """An environment whose Hadoop client is the real one, with all that it gives bloomery kept in heard.log."""
        client = self.folder / "overheard/bin/hadoop"
        client.parent.mkdir(parents=True)
        (self.folder / "overheard/share").symlink_to(CLUSTER / "share")
        client.write_text(f'''#!/bin/bash
set -o pipefail
"{CLUSTER}/bin/hadoop" "$@" | tee -a {self.folder}/heard.log || exit
if [[ $2 == -get ]]; then find "${{@: -1}}" -type f -exec cat {{}} + >>{self.folder}/heard.log; fi
''')
        client.chmod(0o755)
        return self.environment(PATH=f"{client.parent}:{self.environment()['PATH']}")

    def assert_driver_saw_no_key_after_the_sample(self):
        heard = (self.folder / "heard.log").read_bytes()
        text = (self.folder / "r.tsv").read_bytes()
        sample = 256 << 10  # from which the driver tells the columns
        unread = 128 << 10  # what the two pipes of overheard() hold when the driver has enough
        keys = [line.split(b"\t")[0] for line in text[sample + unread:].splitlines()[1:]]
        self.assertGreater(len(keys), 1000)
        self.assertIn(text[:1000], heard)  # so the log does hold what the driver is given
        self.assertEqual([], [key for key in keys if key in heard])

    def test_one_bank_whatever_the_strategy_tasks_and_reducers(self):
        ways = [("indexes", "8", "3"), ("filters", "12", "1")]
        if IS_LONG:
            ways = list(itertools.product(("indexes", "filters", "auto"), ("4", "8", "12"), ("1", "5")))
        self.bloomery("plan", "r.tsv", *RECIPE, "-o", "r.plan")
        bytes_of = {}
        for strategy, tasks, reducers in ways:
            built = self.hadoop("build", "r.tsv", "--plan-from", "r.plan", "-f", "-o", "h.bank",
                                "--strategy", strategy, "--tasks", tasks, "--reducers", reducers)
            self.assert_same_file("t.bank", "h.bank")
            self.assertEqual([int(tasks)], [job["maps"] for job in built["jobs"]])
            bytes_of[strategy] = built["shipped_bytes"]
        # k positions of 4 bytes a key, and no framing worth speaking of.
        keys = built["records"]["used"]
        self.assertAlmostEqual(8 * 4, bytes_of["indexes"] / keys, delta=2)

    def test_classic_and_counting_with_hashes_for_whole_tables(self):
        # Large enough for tables of several blocks; one task in 20 holds few keys of them.
        self.bloomery("generate", "words", "-n", "2000000", "-o", "w.txt")
        kinds = ("counting",) if not IS_LONG else ("classic", "counting", "blocked")
        for kind in kinds:
            self.bloomery("plan", "w.txt", "--kind", kind, "-o", f"{kind}.plan")
            self.bloomery("build", "w.txt", "--plan-from", f"{kind}.plan", "-f", "-o", "t.bank")
            self.hadoop("build", "w.txt", "--plan-from", f"{kind}.plan", "-f", "-o", "h.bank",
                        "--tasks", "3", "--reducers", "2")
            self.assert_same_file("t.bank", "h.bank")

    def test_filters_by_the_rules_of_another_system(self):
        doubled = (self.folder / "r.tsv").read_bytes()
        (self.folder / "d.tsv").write_bytes(doubled + doubled.split(b"\n", 1)[1])
        flags = ("d.tsv", *RECIPE, "--dialect", "hadoop", "--distinct", "-f")
        self.bloomery("build", *flags, "-o", "t.bank")
        self.hadoop("build", *flags, "-o", "h.bank", "--tasks", "2", "--reducers", "2")
        self.assert_same_file("t.bank", "h.bank")
        self.assert_original_finds_all("h.bank", "7")
        # A container of theirs is verified as it is.
        one = ("w.txt", "--dialect", "hadoop", "-o", "one.bank")
        self.bloomery("generate", "words", "-n", "20000", "-o", "w.txt")
        self.bloomery("build", *one)
        self.bloomery("export", "one.bank", "-o", "one.bloom")
        expected = self.threads("verify", "one.bloom", "w.txt")
        self.assertEqual(expected["groups"], self.hadoop("verify", "one.bloom", "w.txt")["groups"])

    def assert_original_finds_all(self, bank, group):
        """Hadoop's own class loads the filter of a group and finds every key of it."""
        self.bloomery("export", bank, "--only", group, "-o", "group.bloom")
        rows = [line.split("\t") for line in (self.folder / "r.tsv").read_text().splitlines()[1:]]
        keys = [key for key, rating, _ in rows if str(int(float(rating) + 0.5)) == group]
        self.assertGreater(len(keys), 1000)
        (self.folder / "keys.txt").write_text("\n".join(keys) + "\n")
        found = subprocess.run(
            ["java", "-cp", f"{CLUSTER.parent}/jars/*", SOURCE / "tests/hadoop/AskFilter.java",
             self.folder / "group.bloom", self.folder / "keys.txt"],
            capture_output=True, check=False)
        self.assertEqual((0, f"{len(keys)} of {len(keys)}\n"), (found.returncode, found.stdout.decode()), found.stderr)

    def test_a_secret_key_travels_as_a_file_and_distinct_keys_are_counted(self):
        self.bloomery("generate", "key", "-o", "secret")
        flags = (*RECIPE, "--hash", "sip", "--key-file", "secret", "--distinct")
        doubled = (self.folder / "r.tsv").read_bytes()
        (self.folder / "d.tsv").write_bytes(doubled + doubled.split(b"\n", 1)[1])
        self.bloomery("plan", "d.tsv", *flags, "-o", "t.plan")
        planned = self.hadoop("plan", "d.tsv", *flags, "--tasks", "2", "-o", "h.plan")
        self.assert_same_file("t.plan", "h.plan")
        self.assertEqual(1, len(planned["jobs"]))
        self.assert_schema("plan", planned)
        secret = (self.folder / "secret").read_text().strip()
        job = planned["jobs"][0]["id"]
        settings = self.settings_of(job)
        self.assertIn(b"mapreduce.job.name", settings)
        self.assertNotIn(secret.encode(), settings)

    @staticmethod
    def settings_of(job):
        """The configuration of a job as everybody may read it. The history server takes its time."""
        places = ("done/*/*/*/*", "done_intermediate/*")
        for _ in range(30):
            found = subprocess.run(
                [CLUSTER / "bin/hadoop", "fs", "-cat",
                 *(f"/tmp/staging/history/{place}/{job}_conf.xml" for place in places)],
                capture_output=True, check=False).stdout
            if found:
                return found
            time.sleep(1)
        return b""
