"""Banks of Bloom filters, one per group, from data of any size.

    films = bloomery.Filter(keys=1_000_000, fpr=0.01)
    films.update(["tt0111161", "tt0068646"])
    "tt0111161" in films

    bank = bloomery.build(table, key="tconst", group="round(averageRating)", output="films.bank")
    bank.query("tt0111161")

docs/python.md has the rest. Keys are str (as UTF-8), bytes, or int (as decimal text).
"""

from typing import NamedTuple

from . import errors
from ._core import Bank, Entry, Filter, Plan
from ._core import version as __version__
from .errors import Error
from .jobs import Verification, build, merge, open, plan, save, verify

__all__ = ["Bank", "Entry", "Error", "Filter", "Inserted", "Plan", "Verification", "build",
           "errors", "merge", "open", "plan", "save", "verify", "__version__"]


class Inserted(NamedTuple):
    """What Filter.update() did: keys that went in, and nulls that were left out."""

    keys: int
    nulls: int
