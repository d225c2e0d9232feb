"""What pickles name: functions that make filters, banks and plans again."""

from __future__ import annotations

from ._core import Bank, Filter, Plan


def filter(data: bytes, secret: bytes | None) -> Filter:
    return Filter.from_bytes(data, secret)


def bank(data: bytes, secret: bytes | None) -> Bank:
    return Bank.from_bytes(data, secret)


def plan(json: str, secret: bytes | None) -> Plan:
    return Plan.from_json(json, secret)
