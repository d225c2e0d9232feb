"""plan, build and verify on this machine's threads: finds out what the records come from."""

from __future__ import annotations

import json
import os
import re
import tempfile
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Sequence

from . import _core, errors
from ._core import Bank, Filter, Plan

Path = str | os.PathLike


@dataclass(frozen=True)
class Verification:
    """Exact counts of what a bank denies and admits wrongly, group by group."""

    is_ok: bool       # no key denied, every rate kept
    is_exact: bool    # where false, false positives may be counted too high
    records: int      # that were asked
    groups: list      # a dict for each group, in the order of the bank
    outside: list     # records of groups that the bank does not have
    facts: dict       # what became of every record

    def __bool__(self) -> bool:
        return self.is_ok

    @classmethod
    def _from_json(cls, text: str, facts: Mapping) -> "Verification":
        found = json.loads(text)
        return cls(found["is_ok"], found["is_exact"], found["asked_records"], found["groups"],
                   found["outside"], dict(facts))


def open(path: Path, *, secret: bytes | None = None, load: bool = False) -> Bank:
    """Opens a bank: maps it and checks every byte. `load` copies it into huge pages, for many
    questions to a large bank."""
    return Bank.open(os.fspath(path), secret=secret, load=load)


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
    return _core.plan(source(data, texts), texts, filters, distinct, _options(options))


def build(data: Any, *, key: str | Sequence[str] | None = None, group: str | None = None,
          fpr: float | None = None, output: Path | None = None, overwrite: bool = False,
          kind: str | None = None, hash: str | None = None, seed: int | None = None,
          hashes: int | None = None, seeds: Sequence[int] | None = None, bytes: int | None = None,
          secret: bytes | None = None, dialect: str | None = None, group_range: str | None = None,
          key_type: str | None = None, distinct: bool = False, plan_from: Plan | Bank | None = None,
          metadata: Mapping[str, str] | None = None, **options: Any) -> Bank:
    """Builds a bank from records: one filter per group.

    `data` is a table (anything with the Arrow C interface, or a pyarrow dataset), a path, or a list
    of paths to text files. Without `output` the bank is in memory.
    """
    plan_from, secret = planned(plan_from, secret)
    texts = recipe(key=key, group=group, group_range=group_range, key_type=key_type,
                   known=plan_from.recipe if plan_from is not None else None)
    filters = _given(fpr=fpr, kind=kind, hash=hash, seed=seed, hashes=hashes, seeds=seeds,
                     bytes=bytes, secret=secret, dialect=dialect)
    options = _options(options)

    if plan_from is None and (dialect or seeds) and _can_be_read_again(data):
        # Such filters start from the key, so there is no hash to keep until the sizes are known.
        plan_from = _core.plan(source(data, texts), texts, filters, distinct, options)

    def write(path: str, replaces: bool) -> Bank:
        facts = _core.build(source(data, texts), texts, filters, distinct, plan_from, path, replaces,
                            _texts(metadata), options)
        bank = Bank.open(path, secret=secret)
        bank.facts = json.loads(facts)
        return bank

    if output is not None:
        return write(os.fspath(output), overwrite)
    with tempfile.TemporaryDirectory(prefix="bloomery-") as folder:
        made = write(os.path.join(folder, "bank"), False)
        bank = Bank.from_bytes(made.to_bytes(), secret)
        bank.facts = made.facts
        return bank


def verify(bank: Bank | Path, data: Any, *, key: str | Sequence[str] | None = None,
           group: str | None = None, sample: float = 1.0, **options: Any) -> Verification:
    """Counts, exactly, what a bank denies and admits wrongly. Keys and groups are made as the bank's
    recipe says, unless told otherwise."""
    bank = bank if isinstance(bank, Bank) else open(bank)
    texts = recipe(key=key, group=group, known=bank.recipe)
    found, facts = _core.verify(bank, source(data, texts), texts, sample, _options(options))
    return Verification._from_json(found, json.loads(facts))


def merge(banks: Iterable[Bank | Path], output: Path, *, overwrite: bool = False,
          secret: bytes | None = None) -> Bank:
    """One bank of all groups of all banks. Groups of one name are merged."""
    if isinstance(banks, (str, os.PathLike, Bank)):
        raise TypeError("merge() takes a list of banks, and the file to write")
    opened = [b if isinstance(b, Bank) else open(b, secret=secret) for b in banks]
    _core.merge(opened, os.fspath(output), overwrite)
    return open(output, secret=secret)


def save(filters: Mapping[str | bytes, Filter], output: Path, *, overwrite: bool = False,
         metadata: Mapping[str, str] | None = None) -> None:
    """Writes filters into a bank, by group."""
    if not isinstance(filters, Mapping) or not all(isinstance(f, Filter) for f in filters.values()):
        raise TypeError('save() takes filters by group, such as {"all": films}')
    _core.write_filters(dict(filters), os.fspath(output), overwrite, _texts(metadata))


def planned(plan_from: Plan | Bank | None,
            secret: bytes | None) -> tuple[Plan | None, bytes | None]:
    """The plan to build from, and the secret of its filters, which is that of the bank as well."""
    if plan_from is None:
        return None, secret
    if not isinstance(plan_from, (Plan, Bank)):
        raise TypeError(f"plan_from={plan_from!r}: must be a Plan or a Bank; Plan.from_json() reads "
                        "what bloomery plan wrote, open() a bank")
    plan = plan_from if isinstance(plan_from, Plan) else Plan.of_bank(plan_from)
    if secret is not None and plan._secret not in (None, secret):
        raise errors.InvalidError("secret=: is not that of plan_from=; leave it out")
    return plan, secret if plan._secret is None else plan._secret


def recipe(*, key: str | int | Sequence[str | int] | None = None, group: str | None = None,
           group_range: str | None = None, key_type: str | None = None,
           known: Mapping[str, str] | None = None) -> dict[str, str]:
    """The texts that say how keys and groups are made; what is not given is as in `known`."""
    texts = dict(known or {})
    if key is not None:
        parts = [key] if isinstance(key, (str, int)) else key
        texts["key"] = ",".join(map(str, parts))  # a number is a column's place, from 1
    texts.update(_given(group=group, key_type=key_type, group_range=group_range))
    return {name.replace("_", "-"): text for name, text in texts.items()}


def source(data: Any, texts: Mapping[str, str]) -> Any:
    """A list of paths, or an object with the Arrow C stream interface."""
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    if isinstance(data, (list, tuple)) and data and all(
            isinstance(item, (str, os.PathLike)) for item in data):
        return [os.fspath(item) for item in data]
    if hasattr(data, "__arrow_c_stream__"):
        return data
    if hasattr(data, "scanner"):  # a pyarrow dataset
        return data.scanner(columns=columns_of(texts, data.schema.names)).to_reader()
    if hasattr(data, "__arrow_c_array__"):  # one record batch, or one column of keys
        import pyarrow
        if isinstance(data, pyarrow.Array) and not pyarrow.types.is_struct(data.type):
            return pyarrow.table({"key": data})
        return pyarrow.Table.from_batches([pyarrow.record_batch(data)])
    raise TypeError(f"no records in {type(data).__name__}: give a path, a list of paths, a pyarrow "
                    "dataset, or a table with the Arrow C stream interface")


def _can_be_read_again(data: Any) -> bool:
    """Files are read as often as it takes; a reader of batches is empty afterwards."""
    is_table = hasattr(data, "__arrow_c_stream__") or hasattr(data, "scanner")
    return is_table and not hasattr(data, "read_next_batch")


def columns_of(texts: Mapping[str, str], names: Sequence[str]) -> list[str]:
    """Those that the recipe may mean, so that a dataset reads no others."""
    said = ",".join((texts.get("key", ""), texts.get("group", "")))
    if '"' in said or any(part.strip().isdigit() for part in re.split("[,()]", said)):
        return list(names)  # by number: all must stay where they are; quoted: it may be any
    wanted = [name for name in names if name in said]
    return wanted or list(names)


def _texts(metadata: Mapping[str, str] | None) -> dict[str, str]:
    texts = dict(metadata or {})
    for name, text in texts.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise TypeError(f"metadata={{{name!r}: {text!r}}}: names and values are str")
    return texts


def _given(**arguments: Any) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if value is not None}


def _options(options: Mapping[str, Any]) -> dict[str, Any]:
    known = {"threads", "memory", "tmp", "strict", "lenient", "max_bad", "max_groups"}
    for name in options:
        if name not in known:
            raise TypeError(f"unknown argument {name!r}; options are {', '.join(sorted(known))}")
    if options.get("strict") and options.get("lenient"):
        raise errors.InvalidError("strict= and lenient= exclude each other")
    return dict(options)
