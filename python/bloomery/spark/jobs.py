"""plan, build and verify: what the driver does. It sees counts and finished blocks, never a key."""

from __future__ import annotations

import contextlib
import json
import os
import time
from typing import Any, Iterator, Mapping, Sequence

from .. import _core, errors
from ..jobs import Bank, Path, Plan, Verification, _given, _texts, planned, recipe
from . import tasks
from .inputs import Input
from .outputs import check_free, write_rejects
from .session import Stages, clear_failures, is_connect, parallelism, repartition, ship_bank, where

# Of one merge task: what the driver takes from Spark at a time.
PART_BYTES = 16 << 20
# Of Connect, at a time.
CONNECT_PARTS = 16

READ_OPTIONS = {"max_line", "max_groups", "strict"}


@contextlib.contextmanager
def _hashed(source: Input, texts: dict, plan: Plan | None, filters: dict,
            options: dict) -> Iterator[Any]:
    """The rows of all hash tasks, kept by the executors until the job is done."""
    run = tasks.hash_records(source.records, texts, plan, filters, options)
    rows = source.frame.mapInArrow(run, tasks.ddl(tasks.HASH_ROWS)).persist()
    try:
        yield rows
    finally:
        _forget(rows)


def _forget(rows: Any) -> None:
    """Where Spark is gone, so are the rows; what ended it is the message that matters."""
    with contextlib.suppress(Exception):
        rows.unpersist()


def _count(rows: Any, limits: Mapping[str, Any], rest: Mapping[str, Any], source: Input) -> Any:
    counts = _core.Counts()
    # All partitions at once: this is where the tasks run. A few numbers a task and group come back.
    for row in rows.where("kind = 0").select("payload").collect():
        counts.add(bytes(row[0]))
    if rest["rejects"] is not None:
        write_rejects(rows.where("kind = 2"), rest["rejects"], rest["overwrite"], source.inputs)
    counts.check(source.inputs, **limits)
    return counts


def check_filters(filters: Mapping[str, Any], strategy: str = "auto") -> None:
    """What the core would say of these after the first pass, in its words."""
    if "fpr" in filters:
        _core.Filter(1, filters["fpr"])
    if strategy not in ("indexes", "filters", "auto"):
        raise errors.InvalidError(f'strategy "{strategy}": must be indexes, filters or auto')


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
    check_free(rest["rejects"], rest["overwrite"])
    check_filters(filters)
    with clear_failures():
        source = Input(data, texts)
        stages = Stages(source.session)
        read |= {"needs_hashes": False, "distinct": distinct,
                 "keeps_rejects": rest["rejects"] is not None}
        with _hashed(source, texts, None, filters, read) as rows:
            counts = _count(rows, limits, rest, source)
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
    check_free(output, overwrite)
    limits, read, rest = _split_options(options)
    check_free(rest["rejects"], rest["overwrite"])
    check_filters(filters, strategy)
    with clear_failures():
        source = Input(data, texts)
        stages = Stages(source.session)
        # Filters that start from the key have no hash to keep: the input is read again for them.
        keeps_hashes = _core.takes_hashes(plan_from, filters)
        read |= {"needs_hashes": keeps_hashes, "distinct": distinct,
                 "keeps_rejects": rest["rejects"] is not None}
        with _hashed(source, texts, plan_from, filters, read) as rows:
            counts = _count(rows, limits, rest, source)
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
    sink = _core.BankSink(output, made, overwrite, metadata)
    for some, group in _in_turns(frames, parts):
        blocks = repartition(some, group, "part").mapInArrow(tasks.merge_frames(made, parts),
                                                             tasks.ddl(tasks.BLOCK_ROWS))
        for row in blocks.toLocalIterator(prefetchPartitions=True):
            sink.write(row[0], row[1], bytes(row[2]))
    return sink.commit(count)


def _in_turns(frames: Any, parts: int) -> Iterator[tuple[Any, int]]:
    """The frames of some parts at a time, and how many parts those are. Classic Spark hands over one
    part after the other of a single query; Connect has them all on its driver, so it is asked for few."""
    if not is_connect(frames.sparkSession) or parts <= CONNECT_PARTS:
        yield frames, parts
        return
    kept = frames.persist()
    try:
        for first in range(0, parts, CONNECT_PARTS):
            yield kept.where(f"part >= {first} and part < {first + CONNECT_PARTS}"), CONNECT_PARTS
    finally:
        _forget(kept)


def verify(bank: Bank | Path, data: Any, *, key: str | Sequence[str] | None = None,
           group: str | None = None, sample: float = 1.0, secret: bytes | None = None,
           **options: Any) -> Verification:
    """Counts, exactly, what a bank denies and admits wrongly."""
    bank = bank if isinstance(bank, Bank) else Bank.open(bank, secret=secret)
    texts = recipe(key=key, group=group, known=bank.recipe)
    return run_verify(bank, data, texts, sample, secret, options)


def run_verify(bank: Bank, data: Any, texts: dict, sample: float, secret: bytes | None,
               options: Mapping[str, Any]) -> Verification:
    start = time.monotonic()
    limits, read, rest = _split_options(options)
    rejects = rest["rejects"]
    check_free(rejects, rest["overwrite"])
    with clear_failures():
        source = Input(data, texts)
        stages = Stages(source.session)
        shipped = ship_bank(source.session, bank, secret)
        # Rare: the bank denied records or admitted strangers; then every record bears witness.
        for all_records in (False, True):
            end = _verify_once(source, shipped, bank, texts, sample, all_records, read, rejects,
                               rest["overwrite"])
            end.check(source.inputs, **limits)
            found = end.conclude()
            if json.loads(found)["is_exact"]:
                break
            rejects = None  # a second reading rejects the same
        facts = _facts("verify", end.facts(source.inputs), source, stages,
                       parallelism(source.session), start)
        facts["passes"] = 2 if all_records else 1
    return Verification._from_json(found, facts)


def _verify_once(source: Input, shipped: Any, bank: Bank, texts: dict, sample: float,
                 all_records: bool, read: dict, rejects: Path | None, overwrite: bool) -> Any:
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
            write_rejects(found.where("kind = 4"), rejects, overwrite, source.inputs)
        return end
    finally:
        if rejects is not None:
            _forget(found)


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


def _facts(job: str, text: str, source: Input, stages: Stages, merges: int,
           start: float) -> dict:
    facts = json.loads(text)
    facts |= {"engine": "spark", "job": job, "merge_tasks": merges, **where(source.session)}
    facts["tasks_note"] = source.note
    facts.update(stages.facts())
    facts["wall_seconds"] = time.monotonic() - start
    return facts
