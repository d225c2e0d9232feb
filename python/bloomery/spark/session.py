"""The session behind a DataFrame, classic or Connect, and what a job on it cost."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any, Iterator

from .. import errors
from ..jobs import Bank


def is_connect(session: Any) -> bool:
    return type(session).__module__.startswith("pyspark.sql.connect")


def parallelism(session: Any) -> int:
    """How many tasks may run at once, nearly. Connect does not say."""
    return 8 if is_connect(session) else max(1, session.sparkContext.defaultParallelism)


def where(session: Any) -> dict:
    """Which cluster a session works on, and by what name the cluster knows it."""
    if is_connect(session):
        return {"master": "Spark Connect", "application": session.session_id}
    context = session.sparkContext
    return {"master": context.master, "application": context.applicationId}


class ShippedBank:
    """A bank that every executor can open: by the file that was sent along, or by its path."""

    opened: dict[tuple[str, bytes | None], Bank] = {}  # of this process
    MOST_OPENED = 16

    def __init__(self, name: str, secret: bytes | None):
        self.name, self.secret = name, secret

    def open(self) -> Bank:
        from pyspark import SparkFiles

        at = (self.name, self.secret)
        if at not in self.opened:
            if len(self.opened) >= self.MOST_OPENED:
                self.opened.clear()
            self.opened[at] = Bank.open(SparkFiles.get(self.name), secret=self.secret)
        return self.opened[at]


def ship_bank(session: Any, bank: Bank, secret: bytes | None) -> ShippedBank:
    """Sends a bank's file to the executors, once."""
    import tempfile

    name = f"bloomery-{bank.digest}.bank"
    # Files belong to the context, which classic sessions share.
    owner = session if is_connect(session) else session.sparkContext
    shipped = owner.__dict__.setdefault("_bloomery_shipped", set())
    if name not in shipped:
        # A folder that stays: Spark reads the file when an executor asks for it.
        folder = tempfile.mkdtemp(prefix="bloomery-")
        path = os.path.join(folder, name)
        bank.save(path)
        if is_connect(session):
            session.addArtifacts(path, file=True)
            os.remove(path)
            os.rmdir(folder)
        else:
            session.sparkContext.addFile(path)
            _remove_at_exit(folder)
        shipped.add(name)
    return ShippedBank(name, secret)


def _remove_at_exit(folder: str) -> None:
    import atexit
    import shutil

    atexit.register(shutil.rmtree, folder, True)


def repartition(frame: Any, parts: int, column: str) -> Any:
    """Rows to the partition that their column names."""
    if hasattr(frame, "repartitionById"):
        return frame.repartitionById(parts, frame[column])
    return frame.repartition(parts, frame[column])


class Stages:
    """What the stages of a job cost, from Spark's own books. Classic only: Connect keeps them from
    its clients."""

    def __init__(self, session: Any):
        self.session = session
        self.is_known = not is_connect(session)
        self.before = set(self._stages()) if self.is_known else set()

    def _stages(self) -> dict:
        store = self.session.sparkContext._jsc.sc().statusStore()
        empty = self.session.sparkContext._jvm.java.util.ArrayList()
        stages = {}
        found = store.stageList(empty, False, False, _no_quantiles(self.session), empty)
        for i in range(found.size()):
            stage = found.apply(i)
            if stage.status().toString() == "COMPLETE":
                stages[(stage.stageId(), stage.attemptId())] = stage
        return stages

    def facts(self) -> dict:
        if not self.is_known:
            return {}
        try:
            new = [stage for key, stage in self._stages().items() if key not in self.before]
        except Exception:  # noqa: BLE001: the result is in; its books are no part of it
            return {}
        return {"spark_tasks": sum(s.numCompleteTasks() for s in new),
                "failed_tasks": sum(s.numFailedTasks() for s in new),
                "shuffle_bytes": sum(s.shuffleWriteBytes() for s in new),
                "cpu_seconds": sum(s.executorCpuTime() for s in new) / 1e9}


def _no_quantiles(session: Any) -> Any:
    return session.sparkContext._gateway.new_array(session.sparkContext._jvm.double, 0)


# Where the core's own message stands in the trace of a task that failed.
CORE = re.compile(r"bloomery\.errors\.(\w+): (.*)")
CAUSES = (
    (re.compile(r"No module named '?(bloomery|pyarrow)[\w.]*'?"),
     "the Python of the executors has no {0}; send an environment along (docs/spark.md), or install "
     "it on every node"),
    (re.compile(r"^(?:\w+\.)*(MemoryError\b[^\n]*)", re.M),
     "a Python worker ran out of memory ({0}); use more tasks, or more spark.executor.pyspark.memory"),
    (re.compile(r"Python worker (?:exited|failed)[^\n.]*"),
     "a Python worker died ({0}); most likely it ran out of memory: use more tasks, or more "
     "spark.executor.memoryOverhead"),
    (re.compile(r"Lost task .*?(java\.lang\.OutOfMemoryError[^\n]*)", re.S),
     "an executor ran out of memory ({0}); use more tasks or more spark.executor.memory"),
    (re.compile(r"(java\.lang\.OutOfMemoryError[^\n]*)"),
     "the driver ran out of memory ({0}); use more spark.driver.memory"),
    # 52 is Spark's own status for it; 137 and 143 are those of a process that was killed.
    (re.compile(r"(?:ExecutorLostFailure|Lost executor)[^\n]*?((?:Command exited with code|Exit status:) "
                r"(?:52|137|143)|Container killed [^\n.]*memory[^\n.]*)"),
     "an executor ran out of memory ({0}) as often as Spark tries again; use more tasks, or more "
     "spark.executor.memory and spark.executor.memoryOverhead"),
    (re.compile(r"(ExecutorLostFailure[^\n]*)"),
     "an executor was lost more often than Spark tries again ({0}); its log says why"),
    (re.compile(r"(Could not parse Master URL[^\n]*)"),
     "{0}; --master is local[2], spark://HOST:7077, yarn or sc://HOST"),
    (re.compile(r"(\[?(?:UNRESOLVED_COLUMN|PATH_NOT_FOUND|CANNOT_READ_FILE)[^\n]*)"), "{0}"),
    (re.compile(r"([^\n]*bigger than [^\n]*maxResultSize[^\n]*)"), "{0}; allow more with spark.driver.maxResultSize"),
    (re.compile(r"(All masters are unresponsive[^\n]*|Failed to connect to[^\n]*|"
                r"Connection refused[^\n]*)"),
     "the cluster does not answer: {0}"),
)


# Where the last attempt of a task ran.
LOST_TASK = re.compile(r"Lost task [\d.]+ in stage [\d.]+ \(TID \d+\) \(([^)]+)\)")


def _where(text: str) -> str:
    found = LOST_TASK.search(text)
    return f" on {found[1]}" if found else ""


@contextlib.contextmanager
def clear_failures() -> Iterator[None]:
    """Turns the pages that Spark says of a failure into the one line that matters."""
    try:
        yield
    except errors.Error:
        raise
    except Exception as error:  # noqa: BLE001: whatever Spark, Py4J or gRPC raise
        if type(error).__module__.split(".")[0] not in ("pyspark", "py4j", "grpc"):
            raise
        raise clear_error(str(error)) from error


def clear_error(text: str) -> errors.Error:
    if found := CORE.search(text):
        kind, said = getattr(errors, found[1], errors.SparkError), found[2].strip()
        if kind is errors.ResourceError:
            said += (f"; this was a task{_where(text)}: give its Python more room "
                     "(spark.executor.memoryOverhead, spark.executor.pyspark.memory)")
        return kind(said)
    for pattern, message in CAUSES:
        if found := pattern.search(text):
            said = message.format(found[1] if found.groups() else found[0])
            return errors.SparkError(f"Spark{_where(text)}: {said}")
    said = re.search(r"^(?:: |Caused by: )?[\w.$]+(?:Exception|Error): (.+)", text, re.M)
    return errors.SparkError("Spark: " + (said[1] if said else text.strip().split("\n")[0])[:2000])
