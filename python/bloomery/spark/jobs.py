"""plan, build and verify: what the driver does. It sees counts and finished blocks, never a key."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import time
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Sequence

from .. import _core, errors
from ..jobs import Bank, Path, Plan, Verification, _given, _texts, columns_of, planned, recipe
from . import tasks
from .session import Stages, clear_failures, parallelism, repartition, ship_bank, where

# Of one merge task: what the driver takes from Spark at a time.
PART_BYTES = 16 << 20

READ_OPTIONS = {"max_line", "max_groups", "strict"}


@dataclass
class TextFiles:
    """Text files in place of a DataFrame, read as the threads engine reads them: each task has a
    range of bytes. Every worker must be able to read the paths."""

    session: Any
    paths: Sequence[Path]
    tasks: int | None = None
    lines_per_task: int | None = None
    layout: Mapping[str, Any] = field(default_factory=dict)


class _Input:
    """A DataFrame to run tasks on, and what its batches mean."""

    def __init__(self, data: Any, texts: dict[str, str]):
        if isinstance(data, TextFiles):
            self._from_files(data, texts)
        else:
            self.session, self.records = data.sparkSession, tasks.Records(None)
            self.frame, self.inputs, self.note = _select(data, texts), [["DataFrame", ""]], ""
            _check_columns(self.frame, texts)

    def _from_files(self, data: TextFiles, texts: dict[str, str]) -> None:
        self.session = data.session
        if "-" in data.paths:
            raise errors.UnsupportedError("standard input: tasks read ranges of files; give a file, "
                                          "or use the threads engine")
        paths = [os.path.abspath(os.fsdecode(path)) for path in data.paths]
        cut = _core.cut_inputs(paths, texts, dict(data.layout), parallelism(self.session),
                               data.tasks, data.lines_per_task)
        count = len(cut["tasks"])
        self.frame = self.session.range(0, count, 1, count)
        self.records = tasks.Records(cut)
        self.inputs = [[os.fsdecode(given), about]
                       for given, (_, about, _) in zip(data.paths, cut["files"])]
        self.note = cut["note"]


def _select(frame: Any, texts: Mapping[str, str]) -> Any:
    """Only the columns that the recipe may mean: the rest stays where it is."""
    wanted = columns_of(texts, frame.columns)
    return frame if wanted == frame.columns else frame.select(*[frame[f"`{name}`"] for name in wanted])


def _check_columns(frame: Any, texts: dict) -> None:
    """Says what is wrong with the columns before any task runs."""
    import pyarrow
    from pyspark.sql.pandas.types import to_arrow_schema

    empty = pyarrow.RecordBatch.from_pylist([], schema=to_arrow_schema(frame.schema))
    _core.HashTask(texts, None, {}, {}).read_batch(empty)


@contextlib.contextmanager
def _hashed(source: _Input, texts: dict, plan: Plan | None, filters: dict,
            options: dict) -> Iterator[Any]:
    """The rows of all hash tasks, kept by the executors until the job is done."""
    run = tasks.hash_records(source.records, texts, plan, filters, options)
    rows = source.frame.mapInArrow(run, tasks.ddl(tasks.HASH_ROWS)).persist()
    try:
        yield rows
    finally:
        rows.unpersist()


def _count(rows: Any, limits: Mapping[str, Any], rejects: Path | None, source: _Input) -> Any:
    counts = _core.Counts()
    # All partitions at once: this is where the tasks run. A few numbers a task and group come back.
    for row in rows.where("kind = 0").select("payload").collect():
        counts.add(bytes(row[0]))
    if rejects is not None:
        _write_rejects(rows.where("kind = 2"), rejects, source)
    counts.check(source.inputs, **limits)
    return counts


def _check_free(path: Path | None, overwrite: bool) -> None:
    if path is not None and not overwrite and os.path.lexists(path):
        name = os.fsencode(path).decode(errors="backslashreplace")
        raise errors.ExistsError(f"{name}: exists; ask to overwrite it, or name another file")


def _write_rejects(rows: Any, path: Path, source: _Input) -> None:
    """Rows of rejected records, in the order of the tasks, as the lines of the file."""
    path = os.fsdecode(path)
    part = f"{path}.part{os.getpid()}"
    try:
        with open(part, "w", encoding="utf-8") as file:
            for row in rows.select("payload").toLocalIterator():
                line = json.loads(bytes(row[0]))
                line |= _named(source.inputs[int(line.pop("file"))][0])
                file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":"),
                                      sort_keys=True) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def _named(path: str) -> dict[str, str]:
    """A path as every JSON of bloomery has it."""
    name = os.fsencode(path)
    try:
        return {"file": name.decode()}
    except UnicodeDecodeError:
        return {"file_b64": base64.b64encode(name).decode()}


def plan(data: Any, *, key: str | Sequence[str] | None = None, group: str | None = None,
         fpr: float | None = None, kind: str | None = None, hash: str | None = None,
         seed: int | None = None, hashes: int | None = None, seeds: Sequence[int] | None = None,
         bytes: int | None = None, secret: bytes | None = None, dialect: str | None = None,
         group_range: str | None = None, key_type: str | None = None, distinct: bool = False,
         **options: Any) -> Plan:
    """Counts the keys of every group and sizes a filter for each."""
    texts = recipe(key=key, group=group, group_range=group_range, key_type=key_type)
    filters = _given(fpr=fpr, kind=kind, hash=hash, seed=seed, hashes=hashes, seeds=seeds,
                     bytes=bytes, secret=secret, dialect=dialect)
    return run_plan(data, texts, filters, distinct, options)[0]


def run_plan(data: Any, texts: dict, filters: dict, distinct: bool,
             options: Mapping[str, Any]) -> tuple[Plan, dict]:
    """The plan, and what the job reports."""
    start = time.monotonic()
    limits, read, rest = _split_options(options)
    _check_free(rest["rejects"], rest["overwrite"])
    with clear_failures():
        source = _Input(data, texts)
        stages = Stages(source.session)
        read |= {"needs_hashes": False, "distinct": distinct,
                 "keeps_rejects": rest["rejects"] is not None}
        with _hashed(source, texts, None, filters, read) as rows:
            counts = _count(rows, limits, rest["rejects"], source)
        made = counts.plan(texts, filters, distinct)
        facts = _facts("plan", counts.facts(source.inputs), source, stages, 0, start)
    return made, facts


def build(data: Any, key: str | Sequence[str] | None = None, group: str | None = None,
          fpr: float | None = None, *, output: Path, overwrite: bool = False,
          kind: str | None = None, hash: str | None = None, seed: int | None = None,
          hashes: int | None = None, seeds: Sequence[int] | None = None,
          bytes: int | None = None, secret: bytes | None = None, dialect: str | None = None,
          group_range: str | None = None, key_type: str | None = None, distinct: bool = False,
          plan_from: Plan | Bank | None = None, strategy: str = "auto",
          metadata: Mapping[str, str] | None = None, **options: Any) -> Bank:
    """Builds a bank from a DataFrame, or from TextFiles, and gives a handle on its file.

    The keys are hashed once and kept by the executors while the sizes are decided. Filters are
    merged on the executors by `strategy`; the driver takes finished blocks one at a time.
    """
    plan_from, secret = planned(plan_from, secret)
    texts = recipe(key=key, group=group, group_range=group_range, key_type=key_type,
                   known=plan_from.recipe if plan_from is not None else None)
    filters = _given(fpr=fpr, kind=kind, hash=hash, seed=seed, hashes=hashes, seeds=seeds,
                     bytes=bytes, secret=secret, dialect=dialect)
    facts, _ = run_build(data, texts, filters, distinct, plan_from, os.fsdecode(output), overwrite,
                         strategy, _texts(metadata), {"overwrite": overwrite, **options})
    bank = Bank.open(os.fspath(output), secret=secret)
    bank.facts = facts
    return bank


def run_build(data: Any, texts: dict, filters: dict, distinct: bool, plan_from: Plan | None,
              output: str, overwrite: bool, strategy: str, metadata: dict,
              options: Mapping[str, Any]) -> tuple[dict, Plan]:
    """Writes the bank, and gives what the job reports, and the plan."""
    start = time.monotonic()
    _check_free(output, overwrite)
    limits, read, rest = _split_options(options)
    _check_free(rest["rejects"], rest["overwrite"])
    with clear_failures():
        source = _Input(data, texts)
        stages = Stages(source.session)
        # Filters that start from the key have no hash to keep: the input is read again for them.
        keeps_hashes = _core.takes_hashes(plan_from, filters)
        read |= {"needs_hashes": keeps_hashes, "distinct": distinct,
                 "keeps_rejects": rest["rejects"] is not None}
        with _hashed(source, texts, plan_from, filters, read) as rows:
            counts = _count(rows, limits, rest["rejects"], source)
            made = (counts.plan(texts, filters, distinct) if plan_from is None
                    else counts.restrict(plan_from, texts))
            parts = max(parallelism(source.session), -(-made.nbytes // PART_BYTES))
            frames = (rows.mapInArrow(tasks.encode_hashes(made, parts, strategy),
                                      tasks.ddl(tasks.FRAME_ROWS)) if keeps_hashes else
                      source.frame.mapInArrow(
                          tasks.encode_records(source.records, texts, made, parts, strategy, read),
                          tasks.ddl(tasks.FRAME_ROWS)))
            count = counts.tasks if keeps_hashes else None
            shipped = _write_bank(frames, made, parts, count, output, overwrite, metadata)
        facts = _facts("build", counts.facts(source.inputs), source, stages, parts, start)
        facts |= {"passes": 1 if keeps_hashes else 2, "strategy": strategy, "shipped_bytes": shipped}
    return facts, made


def _write_bank(frames: Any, made: Plan, parts: int, count: int | None, output: str,
                overwrite: bool, metadata: dict) -> int:
    """The merge of the partials of so many tasks, and the file. Gives the bytes of all frames. Of a
    second reading the count is not known: adaptive execution may cut a shuffled frame otherwise."""
    blocks = repartition(frames, parts, "part").mapInArrow(tasks.merge_frames(made, parts),
                                                          tasks.ddl(tasks.BLOCK_ROWS))
    sink = _core.BankSink(output, made, overwrite, metadata)
    for row in blocks.toLocalIterator(prefetchPartitions=True):
        sink.write(row[0], row[1], bytes(row[2]))
    return sink.commit(count)


def verify(bank: Bank, data: Any, *, key: str | Sequence[str] | None = None,
           group: str | None = None, sample: float = 1.0, secret: bytes | None = None,
           **options: Any) -> Verification:
    """Counts, exactly, what a bank denies and admits wrongly."""
    texts = recipe(key=key, group=group, known=bank.recipe)
    return run_verify(bank, data, texts, sample, secret, options)


def run_verify(bank: Bank, data: Any, texts: dict, sample: float, secret: bytes | None,
               options: Mapping[str, Any]) -> Verification:
    start = time.monotonic()
    limits, read, rest = _split_options(options)
    rejects = rest["rejects"]
    _check_free(rejects, rest["overwrite"])
    with clear_failures():
        source = _Input(data, texts)
        stages = Stages(source.session)
        shipped = ship_bank(source.session, bank, secret)
        # Rare: the bank denied records or admitted strangers; then every record bears witness.
        for all_records in (False, True):
            end = _verify_once(source, shipped, bank, texts, sample, all_records, read, rejects)
            end.check(source.inputs, **limits)
            found = end.conclude()
            if json.loads(found)["is_exact"]:
                break
            rejects = None  # a second reading rejects the same
        facts = _facts("verify", end.facts(source.inputs), source, stages,
                       parallelism(source.session), start)
        facts["passes"] = 2 if all_records else 1
    return Verification._from_json(found, facts)


def _verify_once(source: _Input, shipped: Any, bank: Bank, texts: dict, sample: float,
                 all_records: bool, read: dict, rejects: Path | None) -> Any:
    parts = parallelism(source.session)
    read = {**read, "keeps_rejects": rejects is not None}
    found = source.frame.mapInArrow(
        tasks.verify_records(source.records, shipped, texts, sample, all_records, parts, read),
        tasks.ddl(tasks.VERIFY_ROWS))
    if rejects is not None:
        found = found.persist()
    try:
        settled = repartition(found.where("kind <> 4"), parts, "part").mapInArrow(
            tasks.settle_candidates(shipped), tasks.ddl(tasks.SETTLED_ROWS))
        end = _core.VerifyEnd(bank)
        for row in settled.collect():  # a few numbers a task and group
            end.add(row[0], bytes(row[1]))
        if rejects is not None:
            _write_rejects(found.where("kind = 4"), rejects, source)
        return end
    finally:
        if rejects is not None:
            found.unpersist()


def _split_options(options: Mapping[str, Any]) -> tuple[dict, dict, dict]:
    """Limits over all tasks, options of the reader of each, and the rest."""
    limits = {"strict": False, "lenient": False, "max_bad": 0.001}
    rest = {"rejects": None, "overwrite": False}
    known = set(limits) | set(rest) | READ_OPTIONS
    for name in options:
        if name not in known:
            raise TypeError(f"unknown argument {name!r}; options are {', '.join(sorted(known))}")
    read = {name: options[name] for name in READ_OPTIONS if name in options}
    limits |= {name: options[name] for name in (*limits, "max_groups") if name in options}
    rest |= {name: options[name] for name in rest if name in options}
    return limits, read, rest


def _facts(job: str, text: str, source: _Input, stages: Stages, merges: int,
           start: float) -> dict:
    facts = json.loads(text)
    facts |= {"engine": "spark", "job": job, "merge_tasks": merges, **where(source.session)}
    facts["tasks_note"] = source.note
    facts.update(stages.facts())
    facts["wall_seconds"] = time.monotonic() - start
    return facts
