"""What a job reads: a DataFrame, or text files that its tasks cut into ranges."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from .. import _core, errors
from ..jobs import Path, columns_of
from . import tasks
from .session import parallelism


@dataclass
class TextFiles:
    """Text files in place of a DataFrame, read as the threads engine reads them: each task has a
    range of bytes. Every worker must be able to read the paths."""

    session: Any
    paths: Path | Sequence[Path]
    tasks: int | None = None
    lines_per_task: int | None = None
    layout: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class TableFiles:
    """A DataFrame of files, so that reports and messages can name them."""

    frame: Any
    paths: Sequence[str]
    about: str


class Input:
    """A DataFrame to run tasks on, and what its batches mean."""

    def __init__(self, data: Any, texts: dict[str, str]):
        if isinstance(data, TextFiles):
            self._from_files(data, texts)
        elif isinstance(data, TableFiles):
            self._from_frame(data.frame, texts, ", ".join(data.paths), data.about)
        elif hasattr(data, "sparkSession"):
            self._from_frame(data, texts, "DataFrame", "")
        else:
            raise TypeError(f"no DataFrame of Spark, and no TextFiles: {type(data).__name__}; "
                            "bloomery.build() takes tables and paths without Spark")

    def _from_frame(self, frame: Any, texts: dict[str, str], name: str, about: str) -> None:
        self.session, self.inputs, self.note = frame.sparkSession, [[name, about]], ""
        self.frame, names = _select(frame, texts)
        self.records = tasks.Records(names=names)

    def _from_files(self, data: TextFiles, texts: dict[str, str]) -> None:
        self.session = data.session
        given = [data.paths] if isinstance(data.paths, (str, os.PathLike)) else list(data.paths)
        if "-" in given:
            raise errors.UnsupportedError("standard input: tasks read ranges of files; give a file, "
                                          "or use the threads engine")
        paths = [os.path.abspath(os.fsdecode(path)) for path in given]
        cut = _core.cut_inputs(paths, texts, dict(data.layout), parallelism(self.session),
                               data.tasks, data.lines_per_task)
        count = len(cut["tasks"])
        self.frame = self.session.range(0, count, 1, count)
        self.records = tasks.Records(files=cut)
        self.inputs = [[os.fsdecode(path), about] for path, (_, about, _) in zip(given, cut["files"])]
        self.note = cut["note"]


def _select(frame: Any, texts: Mapping[str, str]) -> tuple[Any, list[str]]:
    """Only the columns that the recipe may mean, and their names. Spark's mapInArrow cannot take
    every name, so they have plain ones on the way."""
    from pyspark.sql.functions import col

    wanted = columns_of(texts, frame.columns)
    _check_columns(frame, wanted, texts)
    if wanted == frame.columns and not any(mark in name for name in wanted for mark in ".`"):
        return frame, wanted
    return frame.select(*[col("`" + name.replace("`", "``") + "`").alias(f"c{i}")
                          for i, name in enumerate(wanted)]), wanted


def _check_columns(frame: Any, wanted: Sequence[str], texts: dict) -> None:
    """Says what is wrong with the columns before any task runs."""
    import pyarrow
    from pyspark.sql.pandas.types import to_arrow_type

    # Types only of those that may be meant: there are some that Arrow does not have.
    fields = [(column.name, to_arrow_type(column.dataType, timezone="UTC") if column.name in wanted
               else pyarrow.null()) for column in frame.schema.fields]
    schema = pyarrow.schema([pyarrow.field(name, kind) for name, kind in fields])
    _core.HashTask(texts, None, {}, {}).read_batch(pyarrow.RecordBatch.from_arrays(
        [pyarrow.array([], kind) for _, kind in fields], schema=schema))
