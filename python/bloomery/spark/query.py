"""may_contain: a bank as a column expression."""

from __future__ import annotations

from typing import Any, Sequence

from .. import errors
from ..jobs import Bank, Path
from .session import ship_bank


def may_contain(bank: Bank | Path, column: Any, *,
                groups: str | bytes | Sequence[str | bytes] | None = None,
                secret: bytes | None = None, session: Any = None) -> Any:
    """A boolean column: whether any group of the bank, or any of `groups`, may hold the key.

    False is certain. Null for a null key. `column` is a name or a Column of strings, binaries or
    whole numbers. To filter with, or to join with before the exact condition.
    """
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import arrow_udf

    session = session or SparkSession.getActiveSession()
    if session is None:
        raise RuntimeError("no Spark session is active; give one with session=")
    bank = bank if isinstance(bank, Bank) else Bank.open(bank, secret=secret)
    wanted = [groups] if isinstance(groups, (str, bytes)) else groups if groups is None else list(groups)
    if wanted is not None:
        if not wanted:
            raise errors.InvalidError("groups=: no group to ask; leave it out to ask all of them")
        for group in wanted:
            bank[group]  # fails here and now where there is none
    shipped = ship_bank(session, bank, secret)

    @arrow_udf("boolean")
    def ask(keys):
        import pyarrow

        bits, count = shipped.open()._may_contain_bits(keys, wanted)
        answers = pyarrow.Array.from_buffers(pyarrow.bool_(), count, [None, pyarrow.py_buffer(bits)])
        if keys.null_count == 0:
            return answers
        import pyarrow.compute as compute

        return compute.if_else(compute.is_valid(keys), answers, pyarrow.scalar(None, pyarrow.bool_()))

    return ask(column)
