"""plan, build and verify on Spark, and a column expression that asks a bank.

    from bloomery import spark as bs
    bank = bs.build(df, key="tconst", group="round(averageRating)", fpr=0.01, output="films.bank")
    df.where(bs.may_contain(bank, "tconst"))

Classic Spark and Spark Connect. The tasks run the C++ core on Arrow batches; filters are merged on
the executors, and finished blocks go into the bank file one at a time. docs/spark.md has the rest.
"""

from .inputs import TextFiles
from .jobs import build, plan, verify
from .query import may_contain

__all__ = ["TextFiles", "build", "may_contain", "plan", "verify"]
