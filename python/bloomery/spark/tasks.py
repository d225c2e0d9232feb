"""What runs on executors. Every function is the body of one task: batches in, batches out.

They are found by name on the executors, so the package must be there: docs/spark.md says how.
"""

from __future__ import annotations

import socket
from typing import Any, Callable, Iterable, Iterator

from .. import _core, errors

# Rows that are kept together in one Arrow batch, at most.
BATCH_BYTES = 4 << 20


def partition_id() -> int:
    from pyspark import TaskContext

    return TaskContext.get().partitionId()


def batches_of(rows: Iterable[tuple], schema: Any) -> Iterator[Any]:
    """Rows as Arrow batches of a few MiB."""
    import pyarrow

    kept, size = [], 0

    def batch():
        columns = [pyarrow.array(values, type=field.type)
                   for values, field in zip(zip(*kept), schema)]
        return pyarrow.RecordBatch.from_arrays(columns, schema=schema)

    for row in rows:
        kept.append(row)
        size += 64 + sum(len(value) for value in row if isinstance(value, bytes))
        if size >= BATCH_BYTES:
            yield batch()
            kept, size = [], 0
    if kept:
        yield batch()


def arrow_schema(*fields: tuple[str, str]) -> Any:
    import pyarrow

    types = {"int": pyarrow.int32(), "bigint": pyarrow.int64(), "binary": pyarrow.binary()}
    return pyarrow.schema([(name, types[kind]) for name, kind in fields])


HASH_ROWS = (("kind", "int"), ("group", "binary"), ("payload", "binary"))
FRAME_ROWS = (("part", "int"), ("frame", "binary"))
BLOCK_ROWS = (("group", "bigint"), ("offset", "bigint"), ("payload", "binary"))
VERIFY_ROWS = (("part", "int"), ("kind", "int"), ("payload", "binary"))
SETTLED_ROWS = (("kind", "int"), ("payload", "binary"))


def ddl(rows: tuple) -> str:
    """A schema as Spark wants it."""
    return ", ".join(f"`{name}` {kind}" for name, kind in rows)


class Records:
    """Feeds one task: with Arrow batches, or, where batches hold the numbers of ranges, with text."""

    def __init__(self, *, names: list[str] | None = None, files: dict | None = None):
        self.names, self.files = names, files

    def read(self, task: Any, batches: Iterable[Any]) -> None:
        for batch in batches:
            if self.files is None:
                task.read_batch(batch.rename_columns(self.names))
                continue
            for number in batch.column(0).to_pylist():
                file, begin, end = self.files["tasks"][number]
                path, _, shape = self.files["files"][file]
                try:
                    task.read_range(file, path, shape, begin, end)
                except (errors.NotFoundError, errors.IoError) as error:
                    raise type(error)(f"{error}; this was on {socket.gethostname()}: every worker must "
                                      "be able to read the file at the same path") from None


def hash_records(records: Records, recipe: dict, plan: Any, filters: dict,
                 options: dict) -> Callable:
    """Records to hashes, counts and rejected records."""

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        task = _core.HashTask(recipe, plan, filters, options)
        records.read(task, batches)
        yield from batches_of(task.finish(), arrow_schema(*HASH_ROWS))

    return run


def encode_hashes(plan: Any, parts: int, strategy: str) -> Callable:
    """Hashes to frames, each for the part of the tables that has its block."""

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        task = _core.EncodeTask(plan, parts, strategy, partition_id())
        for batch in batches:
            task.read_rows(batch)
        yield from batches_of(task.finish(), arrow_schema(*FRAME_ROWS))

    return run


def encode_records(records: Records, recipe: dict, plan: Any, parts: int, strategy: str,
                   options: dict) -> Callable:
    """Records to frames at once, for filters that start from the key."""

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        task = _core.PartialTask(recipe, plan, parts, strategy, partition_id(), options)
        records.read(task, batches)
        yield from batches_of(task.finish(), arrow_schema(*FRAME_ROWS))

    return run


def merge_frames(plan: Any, parts: int) -> Callable:
    """Frames to finished blocks and a receipt."""

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        task = _core.MergeTask(plan, parts)
        for batch in batches:
            task.read_rows(batch)
        yield from batches_of(task.finish(), arrow_schema(*BLOCK_ROWS))

    return run


def verify_records(records: Records, shipped: Any, recipe: dict, sample: float, all_records: bool,
                   parts: int, options: dict) -> Callable:
    """Records to counts and candidates, each for the part that has its key."""

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        task = _core.VerifyTask(shipped.open(), recipe, sample, all_records, parts, options)
        records.read(task, batches)
        yield from batches_of(task.finish(), arrow_schema(*VERIFY_ROWS))

    return run


def settle_candidates(shipped: Any) -> Callable:
    """Candidates of one key together, to counts."""

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        task = _core.SettleTask(shipped.open())
        for batch in batches:
            task.read_rows(batch)
        yield from batches_of(task.finish(), arrow_schema(*SETTLED_ROWS))

    return run
