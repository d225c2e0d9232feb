"""The three jobs on executors of a local cluster: the bytes and the counts of the threads engine."""

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import unittest

import bloomery
import pyarrow
from bloomery import errors
from bloomery import spark as bs
from bloomery.spark.session import Stages
from pyspark.sql import functions as F
from support import FLAGS, RECIPE, SparkTest, events, local_cluster, remove_work

MAX_RESULT = 24 << 20  # bytes that Spark lets one job bring to the driver


def rough_lines():
    """A file with everything in it that engines disagree about."""
    chance = random.Random(4)
    lines = [b"tt%07d\t%d.%d\t%d" % (i, chance.randrange(1, 10), chance.randrange(10), i)
             for i in range(4000)]
    lines[5] = b"tt\xff\xfe\x00bad\t7.5\t1"      # NUL and bytes that are not UTF-8
    lines[7] = b"tt with\rCR inside\t3.5\t1"
    lines[9] = b""                               # blank
    lines[11] = b"\\N\t5.0\t1"                   # missing
    lines[13] = b"too\tfew"                      # rejected
    lines[15] = lines[15] + b"\r"
    lines[17] = b"\xef\xbb\xbfttBOM\t2.5\t1"     # a mark that is not at the start
    return b"\xef\xbb\xbftconst\taverageRating\tnumVotes\r\n" + b"\n".join(lines)


class PeakMemory:
    """How much anonymous memory this process took at most, while it worked."""

    def __enter__(self):
        self.before = self.highest = self.now()
        self.is_done = threading.Event()
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()
        return self

    def __exit__(self, *_):
        self.is_done.set()
        self.watcher.join()
        self.grown = self.highest - self.before

    def watch(self):
        while not self.is_done.wait(0.005):
            self.highest = max(self.highest, self.now())

    @staticmethod
    def now():
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("RssAnon"))


class Engine(SparkTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.logs = cls.root / "logs"
        cls.logs.mkdir()
        cls.session = local_cluster(cls.logs, **{
            "spark.driver.maxResultSize": str(MAX_RESULT), "spark.task.maxFailures": "2"})
        cls.addClassCleanup(remove_work)
        cls.addClassCleanup(cls.session.stop)
        cls.make_ratings("0.048")
        cls.write_parquet()

    def frame(self):
        return self.session.read.parquet(str(self.parquet))

    def files(self, *paths, **options):
        return bs.TextFiles(self.session, paths or [self.tsv], **options)

    def build(self, data, **arguments):
        path = self.folder / "spark.bank"
        bank = bs.build(data, output=path, overwrite=True, **{**RECIPE, **arguments})
        return bank, path.read_bytes()

    def test_a_frame_of_any_number_of_partitions_gives_the_bytes_of_threads(self):
        for frame in (self.frame(), self.frame().repartition(8),
                      self.frame().coalesce(1).union(self.frame().where("false"))):
            bank, made = self.build(frame)
            self.assertEqual(self.expected, made)
            self.assertEqual(self.records, bank.facts["records"]["used"])
            self.assertEqual("spark", bank.facts["engine"])
            self.assertGreater(bank.facts["shuffle_bytes"], 0)
            self.assertGreater(bank.facts["wall_seconds"], 0)

    def test_text_files_in_any_number_of_tasks_give_the_bytes_of_threads(self):
        for count in (1, 2, 50):
            bank, made = self.build(self.files(tasks=count))
            self.assertEqual(self.expected, made)
            self.assertEqual(count, bank.facts["tasks"])
        bank, made = self.build(self.files(lines_per_task=20_000))
        self.assertEqual((self.expected, 4), (made, bank.facts["tasks"]))

    def test_every_byte_a_file_can_hold(self):
        rough = self.folder / "rough.tsv"
        rough.write_bytes(rough_lines())
        packed = self.folder / "packed.tsv.gz"
        packed.write_bytes(gzip.compress(rough_lines()))
        for paths in ([rough], [packed], [rough, packed]):
            report = json.loads(self.cli("build", *paths, *FLAGS, "--max-bad", "1%", "--json", "-q",
                                         "-f", "-o", "threads.bank", "--rejects", "threads.rejects"))
            rejects = self.folder / "spark.rejects"
            bank, made = self.build(self.files(*paths, tasks=7), max_bad=0.01, rejects=rejects)
            self.assertEqual((self.folder / "threads.bank").read_bytes(), made)
            self.assertEqual(report["records"], bank.facts["records"])
            self.assertEqual(report["rejected"], bank.facts["rejected"])
            # In the order of the tasks; threads write them as they find them.
            expected = sorted((self.folder / "threads.rejects").read_bytes().splitlines())
            self.assertEqual(expected, sorted(rejects.read_bytes().splitlines()))
            self.assertLess(0, len(expected))
            rejects.unlink()
        found = bs.verify(bank, self.files(*paths, tasks=7), max_bad=0.01, rejects=rejects)
        self.assertEqual(report["records"], found.facts["records"])
        self.assertEqual(expected, sorted(rejects.read_bytes().splitlines()))
        with self.assertRaisesRegex(errors.ExistsError, "spark.rejects: exists"):
            bs.verify(bank, self.files(rough), max_bad=0.01, rejects=rejects)

    def test_kinds_strategies_and_plans(self):
        for flags, arguments in (
                (["--kind", "counting"], {"kind": "counting", "strategy": "filters"}),
                (["--kind", "classic", "--hash", "murmur3", "--seed", "3", "-p", "0.1%"],
                 {"kind": "classic", "hash": "murmur3", "seed": 3, "fpr": 0.001,
                  "strategy": "indexes"}),
                (["--dialect", "spark", "--distinct"], {"dialect": "spark", "distinct": True}),
                (["--dialect", "spark-v1"], {"dialect": "spark-v1"}),
                (["--dialect", "hadoop"], {"dialect": "hadoop"}),
                (["--dialect", "pisa-python"], {"dialect": "pisa-python"}),
                (["--dialect", "pisa-java"], {"dialect": "pisa-java"}),
                (["--kind", "classic", "--seeds", "1,2,3"], {"kind": "classic", "seeds": [1, 2, 3]}),
                (["--distinct", "--kind", "classic"], {"distinct": True, "kind": "classic"})):
            self.cli("build", self.tsv, *FLAGS, *flags, "-q", "-f", "-o", "threads.bank")
            self.assertEqual((self.folder / "threads.bank").read_bytes(),
                             self.build(self.frame(), **arguments)[1], flags)
        made = bs.plan(self.frame(), **RECIPE)
        self.assertEqual(bloomery.plan(self.tsv, **RECIPE), made)
        self.assertEqual(self.expected, self.build(self.frame(), plan_from=made)[1])

    def test_a_second_reading_in_other_tasks(self):
        # The frame is shuffled, and adaptive execution may cut it otherwise for each query. Here it
        # certainly does: it may not touch the first, which is kept, and merges tasks of the second.
        setting = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"
        self.session.conf.set(setting, "false")
        self.addCleanup(self.session.conf.unset, setting)
        self.cli("build", self.tsv, *FLAGS, "--dialect", "spark", "-q", "-o", "threads.bank")
        bank, made = self.build(self.frame().repartition("tconst"), dialect="spark")
        self.assertEqual((self.folder / "threads.bank").read_bytes(), made)
        self.assertEqual((2, 4), (bank.facts["passes"], bank.facts["tasks"]))

    def test_a_secret_plan(self):
        secret, key = bytes(range(16)), self.folder / "secret"
        key.write_text(secret.hex())
        key.chmod(0o600)
        self.cli("build", self.tsv, *FLAGS, "--hash", "sip", "--key-file", key, "-q", "-o", "sip.bank")
        planned = bloomery.open(self.folder / "sip.bank", secret=secret)
        bank, made = self.build(self.frame(), plan_from=planned)
        self.assertEqual((self.folder / "sip.bank").read_bytes(), made)
        self.assertTrue(bs.verify(bank, self.frame(), secret=secret).is_ok)

    def test_nulls_large_strings_and_skewed_groups(self):
        rows = [(f"k{i}" * 20_000, "big") for i in range(40)] + [(None, "big"), ("a", None),
                                                                ("b", "small"), ("", "big")]
        frame = self.session.createDataFrame(rows, "key string, group string").repartition(3)
        bank, made = self.build(frame, key="key", group="group")
        table = pyarrow.table({"key": [r[0] for r in rows], "group": [r[1] for r in rows]})
        self.assertEqual(bloomery.build(table, key="key", group="group").to_bytes(), made)
        self.assertEqual((41, 3), (bank.facts["records"]["used"], bank.facts["records"]["missing"]))

    def test_verify_counts_what_the_command_line_counts(self):
        bank = bloomery.open(self.root / "threads.bank")
        expected = json.loads(self.cli("verify", bank.path, self.tsv, "--json", "-q"))
        for data in (self.frame(), self.files(tasks=5)):
            found = bs.verify(bank, data)
            self.assertEqual(expected["groups"], found.groups)
            self.assertTrue(found.is_exact and found.is_ok)
        foreign = bloomery.build(self.tsv, dialect="spark", **RECIPE)
        some = self.frame().where("averageRating < 8.5")
        found = bs.verify(bloomery.build(some.toPandas(), **RECIPE), self.frame())
        self.assertTrue(found.is_exact)
        self.assertEqual(2, found.facts["passes"])
        self.assertGreater(len(found.outside), 0)
        self.assertEqual(bloomery.verify(foreign, self.tsv).groups,
                         bs.verify(foreign, self.frame()).groups)

    def test_may_contain_is_a_column_to_filter_with(self):
        bank = bloomery.open(self.root / "threads.bank")
        asked = self.session.createDataFrame(
            [("tt0000001",), ("nobody",), (None,)], "tconst string")
        rows = asked.select("tconst", bs.may_contain(bank, "tconst").alias("maybe")).collect()
        self.assertEqual({"tt0000001": True, "nobody": bool(bank.query("nobody")), None: None},
                         {row[0]: row[1] for row in rows})
        kept = self.frame().where(bs.may_contain(bank, F.col("tconst"), groups=["7"])).count()
        self.assertEqual(int(bank.may_contain(self.frame().toPandas()["tconst"],
                                              groups=["7"]).sum()), kept)

    def test_the_driver_takes_finished_blocks_one_at_a_time(self):
        # 96 MiB of tables, and no job may bring more than MAX_RESULT to the driver.
        keys = self.session.range(0, 40_000, 1, 4).selectExpr("cast(id as string) as key")
        path = self.folder / "large.bank"
        with PeakMemory() as memory:
            bank = bs.build(keys, key="key", bytes=96 << 20, strategy="filters", output=path)
        self.assertGreater(path.stat().st_size, 96 << 20)
        self.assertGreater(bank.facts["shipped_bytes"], 4 * (96 << 20))
        self.assertLess(memory.grown, 48 << 20)
        self.assertEqual(["all"], bank.query("39999"))

    def test_what_is_wrong_is_said_in_a_line_and_nothing_is_replaced(self):
        path = self.folder / "kept.bank"
        path.write_bytes(b"kept")
        missing = self.folder / "gone.tsv"
        for message, data, arguments in (
                ('no column "tkonst"', self.frame(), {"key": "tkonst", "group": None}),
                ('no column "tkonst"', self.files(), {"key": "tkonst", "group": None}),
                ("No such file", self.files(missing), RECIPE),
                ("are bad, more than", self.frame(), {"key": "tconst", "group": "round(tconst)"}),
                ("standard input", self.files("-"), RECIPE),
                ("every worker must be able to read the file", self.only_here(), RECIPE),
                ("short.tsv.gz: damaged gzip at byte", self.files(self.cut_short()), RECIPE),
                ("a Python worker died", self.dying(), RECIPE),
                ("makes no key", self.frame().select(F.lit(1.5).alias("tconst")),
                 {"key": "tconst", "group": None})):
            with self.assertRaisesRegex(errors.Error, message) as caught:
                bs.build(data, output=path, overwrite=True, **arguments)
            self.assertNotIn("\n", str(caught.exception))
            self.assertEqual(b"kept", path.read_bytes())
        context, ours = self.session.sparkContext, self.session.sparkContext.pythonExec
        context.pythonExec = base_python()
        self.addCleanup(setattr, context, "pythonExec", ours)
        with self.assertRaisesRegex(errors.SparkError, "the Python of the executors has no "):
            bs.build(self.frame(), output=path, overwrite=True, **RECIPE)
        self.assertEqual(b"kept", path.read_bytes())
        with self.assertRaisesRegex(errors.ExistsError, "exists; ask to overwrite it"):
            bs.build(self.frame(), output=path, **RECIPE)
        self.assertEqual(["kept.bank"], os.listdir(self.folder))

    def test_what_can_be_known_to_be_wrong_is_said_before_any_task_runs(self):
        frame = self.frame()
        before = self.stages()
        out = self.folder / "new.bank"
        for kind, message, data, arguments in (
                (errors.NotFoundError, "there is no folder", frame, {"output": self.folder / "none" / "x.bank"}),
                (errors.InvalidError, "^fpr 7: must be above 0 and below 1", frame, {"fpr": 7}),
                (TypeError, "^fpr='1%': must be a number", frame, {"fpr": "1%"}),
                (errors.InvalidError, '^strategy "best": must be', frame, {"strategy": "best"}),
                (errors.NotFoundError, 'no column "nope"; there are tconst, averageRating', frame, {"group": "nope"}),
                (errors.InvalidError, "^tasks= must be from 1 to", bs.TextFiles(self.session, self.tsv, tasks=0), {}),
                (errors.InvalidError, "^tasks= must be from 1 to", bs.TextFiles(self.session, self.tsv, tasks=10**9), {}),
                (TypeError, "^no DataFrame of Spark, and no TextFiles: str", "ratings.tsv", {})):
            with self.assertRaisesRegex(kind, message):
                bs.build(data, **{"output": out, **RECIPE, **arguments})
        self.assertEqual(before, self.stages())
        self.assertEqual([], os.listdir(self.folder))

    def stages(self):
        return len(Stages(self.session).before)

    def test_columns_of_any_name_beside_others_of_any_type(self):
        frame = self.session.range(100).select(
            F.col("id").cast("string").alias("a.b"), F.lit("x").alias("c`d e"), F.current_timestamp().alias("ts"),
            F.array(F.lit(1)).alias("list"), F.make_dt_interval().alias("span"))
        bank = bs.build(frame, key='"a.b"', group='"c`d e"', output=self.folder / "names.bank")
        self.assertEqual(["x"], bank.groups)
        self.assertTrue(bank.may_contain([str(i) for i in range(100)]).all())
        with self.assertRaisesRegex(errors.NotFoundError, 'no column "nope"; there are a.b, c`d e, ts, list, span'):
            bs.build(frame, key="nope", output=self.folder / "none.bank")
        with self.assertRaisesRegex(errors.UnsupportedError, 'column "ts": a timestamp makes no key'):
            bs.build(frame, key="ts", output=self.folder / "none.bank")

    def test_a_choice_of_groups_is_never_taken_for_its_letters_or_for_all(self):
        frame = self.session.range(300).selectExpr("cast(id as string) key",
                                                   "element_at(array('0', '1', '10'), cast(id % 3 as int) + 1) grp")
        bank = bs.build(frame, key="key", group="grp", fpr=1e-6, output=self.folder / "groups.bank")
        for groups in ("10", b"10", ["10"]):
            asked = frame.where("grp = '10'").where(bs.may_contain(bank.path, "key", groups=groups, session=self.session))
            self.assertEqual(100, asked.count())
        with self.assertRaisesRegex(errors.InvalidError, "^groups=: no group to ask"):
            bs.may_contain(bank, "key", groups=[], session=self.session)
        with self.assertRaisesRegex(errors.NotFoundError, 'no group "2"'):
            bs.may_contain(bank, "key", groups=["2"], session=self.session)
        # Another session of the same context has its files, too.
        other = self.session.newSession()
        again = other.range(1).selectExpr("'2' key").select(bs.may_contain(bank, "key", session=other).alias("maybe"))
        self.assertTrue(again.collect()[0].maybe)

    def only_here(self):
        """A path that no other process has."""
        file = os.open(self.tsv, os.O_RDONLY)
        self.addCleanup(os.close, 777)
        os.dup2(file, 777)
        os.close(file)
        return self.files("/proc/self/fd/777")

    def cut_short(self):
        packed = self.root / "short.tsv.gz"
        packed.write_bytes(gzip.compress(self.tsv.read_bytes())[:100_000])
        return packed

    def dying(self):
        """As if the kernel had taken its memory."""
        def die(batches):
            os.kill(os.getpid(), signal.SIGKILL)
            yield from batches

        return self.frame().mapInArrow(die, self.frame().schema)

    def test_when_an_executor_runs_out_of_memory(self):  # the last: it costs both executors
        path = self.folder / "kept.bank"
        path.write_bytes(b"kept")
        huge = self.session.range(0, 2, 1, 2).selectExpr("repeat(cast(id as string), 1000000000) as key")
        with self.assertRaisesRegex(errors.SparkError,
                                    "an executor ran out of memory .*; use more tasks") as caught:
            bs.build(huge, key="key", output=path, overwrite=True)
        self.assertRegex(str(caught.exception), r"^Spark on 127\.0\.0\.1 executor \d+: ")
        self.assertNotIn("\n", str(caught.exception))
        self.assertEqual(b"kept", path.read_bytes())

    def test_executors_killed_in_mid_job_change_nothing(self):
        marks = str(self.root / "busy")
        os.mkdir(marks)

        def slow(batches):
            mark = os.path.join(marks, str(os.getpid()))
            with open(mark, "wb"):
                pass
            for batch in batches:
                time.sleep(0.4)
                yield batch
            os.unlink(mark)

        frame = self.frame().repartition(8)
        schema = frame.schema
        killed, is_built = [], threading.Event()

        def kill():
            while not is_built.wait(0.02):
                if len(os.listdir(marks)) == 2:  # a task on each executor
                    executors = executor_pids()
                    os.kill(executors[0], signal.SIGKILL)
                    killed.append(executors[0])
                    return

        self.wait_for_executors(2)
        before = sum(1 for _ in events(self.logs))
        killer = threading.Thread(target=kill)
        killer.start()
        bank, made = self.build(frame.mapInArrow(slow, schema))
        is_built.set()
        killer.join()
        self.assertEqual(1, len(killed))
        self.assertEqual(self.expected, made)
        self.assertEqual(self.records, bank.facts["records"]["used"])
        time.sleep(1)
        log = list(events(self.logs))[before:]
        lost = [e for e in log if e["Event"] == "SparkListenerTaskEnd"
                and e["Task End Reason"]["Reason"] in ("ExecutorLostFailure", "FetchFailed")]
        self.assertTrue(lost, "the kill cost no task")

    def wait_for_executors(self, count):
        status = self.session.sparkContext._jsc.sc().getExecutorMemoryStatus
        end = time.monotonic() + 120
        while status().size() < count + 1 and time.monotonic() < end:  # the driver is one of them
            time.sleep(0.1)


def base_python():
    """The interpreter that this environment was made of, without what is installed in it."""
    return os.path.join(sys.base_prefix, "bin", f"python3.{sys.version_info.minor}")


def executor_pids():
    """Executors of this process's own JVM."""
    found = subprocess.run(["pgrep", "-f", "CoarseGrainedExecutorBackend"], capture_output=True,
                           text=True, check=False).stdout.split()
    return [int(pid) for pid in found if has_ancestor(int(pid), os.getpid())
            and os.path.basename(os.readlink(f"/proc/{pid}/exe")) == "java"]


def has_ancestor(pid, ancestor):
    while pid > 1:
        if pid == ancestor:
            return True
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                pid = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            return False
    return False


if __name__ == "__main__":
    unittest.main()
