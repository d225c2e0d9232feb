"""One job for the command line: its description comes as JSON on standard input, the result goes as
one line of JSON to standard output. bloomery build --engine spark runs this."""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from typing import Any

from .. import _core, errors
from ..jobs import Bank, Plan


def main() -> int:
    # Spark and its JVM may print; the result must stand alone.
    result = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    job = json.load(sys.stdin)
    try:
        answer = run(job)
    except errors.Error as error:
        answer = {"error": as_flags(str(error)), "kind": type(error).__name__}
    except ModuleNotFoundError as error:
        answer = {"error": f"{sys.executable}: {error}; install bloomery[spark] into this Python, or "
                           "choose another with --python", "kind": "SparkError"}
    print(json.dumps(answer), file=result, flush=True)
    return 0


def as_flags(message: str) -> str:
    """What Python's messages call max_bad= is --max-bad here."""
    return re.sub(r"(?<![\w-])([a-z]+(?:_[a-z]+)*)=(?=[ ,;:]|$)", lambda found: "--" + found[1].replace("_", "-"), message)


def run(job: dict[str, Any]) -> dict[str, Any]:
    from . import session

    check_inputs(job)
    check_outputs(job)
    with session.clear_failures():
        spark = start(job["master"], job["conf"])
    try:
        return {"plan": run_plan, "build": run_build, "verify": run_verify}[job["job"]](job, spark)
    finally:
        try:
            spark.stop()
        except Exception:  # noqa: BLE001: the result is in, or the failure is known
            pass


def start(master: str, conf: dict[str, str]) -> Any:
    from pyspark.sql import SparkSession

    from .reach import check_reachable

    check_reachable(master, conf)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if master.startswith("sc://"):
        builder = SparkSession.builder.remote(master)
    else:
        # --master says which Spark, whatever the environment says.
        for name in ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED"):
            os.environ.pop(name, None)
        builder = SparkSession.builder.master(master).appName("bloomery")
        conf = {"spark.ui.enabled": "false", "spark.log.level": "ERROR",
                # Fail in seconds, not in a quarter of an hour.
                "spark.hadoop.yarn.resourcemanager.connect.max-wait.ms": "20000",
                "spark.hadoop.yarn.resourcemanager.connect.retry-interval.ms": "2000",
                "spark.hadoop.ipc.client.connect.max.retries": "3", **conf}
    for name, value in conf.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def check_inputs(job: dict[str, Any]) -> None:
    """What can be known to be wrong before Spark starts, which takes its time."""
    paths = [path_of(path) for path in job["paths"]]
    parquet = [is_parquet(path) for path in paths]
    if all(parquet):
        return
    if any(parquet):
        raise errors.InvalidError("Parquet and text files in one job; build two banks with "
                                  "--plan-from, and merge them")
    for path in paths:
        if "://" in path:
            raise errors.UnsupportedError(
                f"{path}: text is read from paths that every worker has; copy it there, or make a "
                "DataFrame of it and call bloomery.spark.build")
    _core.cut_inputs(paths, job["recipe"], job["layout"], 1, None, None)


def check_outputs(job: dict[str, Any]) -> None:
    from .jobs import check_filters
    from .outputs import check_free

    if job["job"] == "build":
        check_free(path_of(job["output"]), job["overwrite"])
        check_filters(job["filters"], job["strategy"])
    options = options_of(job)
    check_free(options.get("rejects"), options.get("overwrite", False))


def data_of(job: dict[str, Any], spark: Any) -> Any:
    from .inputs import TableFiles, TextFiles

    paths = [path_of(path) for path in job["paths"]]
    if is_parquet(paths[0]):
        frame = spark.read.parquet(*[absolute(path) for path in paths])
        return TableFiles(frame, paths, "Parquet")
    return TextFiles(spark, paths, job.get("tasks"), job.get("lines_per_task"), job["layout"])


def path_of(text: str | dict[str, str]) -> str:
    """A path from JSON, whatever bytes it holds."""
    return text if isinstance(text, str) else os.fsdecode(base64.b64decode(text["b64"]))


def options_of(job: dict[str, Any]) -> dict[str, Any]:
    options = dict(job["options"])
    if "rejects" in options:
        options["rejects"] = path_of(options["rejects"])
    return options


def is_parquet(path: str) -> bool:
    if "://" in path:
        return ".parquet" in path
    if os.path.isdir(path):
        return True
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PAR1"
    except OSError:
        return False  # whoever opens it next says why


def absolute(path: str) -> str:
    return path if "://" in path else "file://" + os.path.abspath(path)


def filters_of(job: dict[str, Any]) -> dict[str, Any]:
    filters = dict(job["filters"])
    if "secret" in filters:
        filters["secret"] = bytes.fromhex(filters["secret"])
    return filters


def secret_of(job: dict[str, Any]) -> bytes | None:
    return bytes.fromhex(job["secret"]) if "secret" in job else None


def run_plan(job: dict[str, Any], spark: Any) -> dict[str, Any]:
    from . import jobs, session

    with session.clear_failures():
        data = data_of(job, spark)
    plan, facts = jobs.run_plan(data, job["recipe"], filters_of(job), job["distinct"],
                                options_of(job))
    return {"plan": plan.to_json(), "facts": facts}


def run_build(job: dict[str, Any], spark: Any) -> dict[str, Any]:
    from . import jobs, session

    plan = None
    if "plan" in job:
        plan = Plan.from_json(job["plan"], secret_of(job))
    with session.clear_failures():
        data = data_of(job, spark)
    facts, made = jobs.run_build(data, job["recipe"], filters_of(job), job["distinct"], plan,
                                 path_of(job["output"]), job["overwrite"], job["strategy"],
                                 job["metadata"], options_of(job))
    return {"facts": facts, "plan": made.to_json()}


def run_verify(job: dict[str, Any], spark: Any) -> dict[str, Any]:
    from . import jobs, session

    bank = Bank.open(path_of(job["bank"]), secret=secret_of(job))
    with session.clear_failures():
        data = data_of(job, spark)
    found = jobs.run_verify(bank, data, job["recipe"], job["sample"], secret_of(job), options_of(job))
    return {"verification": {"is_ok": found.is_ok, "is_exact": found.is_exact,
                             "records": found.records, "groups": found.groups,
                             "outside": found.outside},
            "facts": found.facts}


if __name__ == "__main__":
    sys.exit(main())
