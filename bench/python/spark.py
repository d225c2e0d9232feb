"""Building on Spark, beside the least job that reads the same records, and beside Spark's own filter.

Usage: spark.py [--keys N,...] [--tasks N] [--runs N] [--master URL] [--json FILE]

The least job is a mapInArrow that reads everything and returns one row a task. Spark's own
bloomFilter is one group; above 4 million keys it clamps without a word, so the rates that both
reach stand beside the times. Medians of alternated runs, after one of each that is not counted.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from machine import commit, machine  # noqa: E402

FPR = 0.01
ABSENT = [f"no{i}" for i in range(20_000)]


def least(frame):
    def count(batches):
        import pyarrow
        total = sum(batch.num_rows for batch in batches)
        yield pyarrow.RecordBatch.from_pydict({"n": [total]})

    return sum(row.n for row in frame.mapInArrow(count, "n long").collect())


def measure(spark, keys, tasks, runs, folder):
    from bloomery import spark as bs

    path = os.path.join(folder, f"{keys}.parquet")
    (spark.range(0, keys, 1, tasks).selectExpr("concat('tt', lpad(cast(id as string), 9, '0')) as key")
     .write.parquet(path))
    frame = spark.read.parquet(path)
    out = os.path.join(folder, "spark.bank")
    contenders = {
        "least mapInArrow": lambda: least(frame),
        "bloomery": lambda: bs.build(frame, key="key", fpr=FPR, output=out, overwrite=True),
        "Spark bloomFilter": lambda: frame._jdf.stat().bloomFilter("key", keys, FPR),
    }
    times, made = {name: [] for name in contenders}, {}
    for run in range(runs + 1):
        for name, work in contenders.items():
            start = time.perf_counter()
            made[name] = work()
            if run > 0:
                times[name].append(time.perf_counter() - start)
    check(made, keys)
    rates = {"bloomery": float(made["bloomery"].may_contain(ABSENT).mean()),
             "Spark bloomFilter": sum(map(made["Spark bloomFilter"].mightContainString, ABSENT))
             / len(ABSENT)}
    sizes = {"bloomery": made["bloomery"].nbytes,
             "Spark bloomFilter": made["Spark bloomFilter"].bitSize() // 8}
    base = statistics.median(times["least mapInArrow"])
    return [{"name": name, "keys": keys, "seconds": statistics.median(taken), "runs": taken,
             "ratio": statistics.median(taken) / base, "rate": rates.get(name),
             "bytes": sizes.get(name)} for name, taken in times.items()]


def check(made, keys):
    """Everything was read, and no member is denied."""
    members = [f"tt{i:09}" for i in range(0, keys, keys // 1000)]
    bank, theirs = made["bloomery"], made["Spark bloomFilter"]
    if made["least mapInArrow"] != keys or bank.facts["records"]["used"] != keys:
        sys.exit("spark.py: not all keys were read")
    if not (bank.may_contain(members).all() and all(map(theirs.mightContainString, members))):
        sys.exit("spark.py: a member was denied")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", default="4000000,50000000")
    parser.add_argument("--tasks", type=int, default=8)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--master", default="local-cluster[2,1,2048]")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    import pyspark
    from pyspark.sql import SparkSession

    spark = (SparkSession.builder.master(arguments.master).config("spark.ui.enabled", "false")
             .config("spark.executor.memory", "2g").config("spark.driver.memory", "2g")
             .config("spark.log.level", "ERROR").getOrCreate())
    print(f"machine  {machine()}\nprogram  commit {commit()}, Spark {pyspark.__version__}, {arguments.master}\n")
    rows = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            for keys in map(int, arguments.keys.split(",")):
                for row in measure(spark, keys, arguments.tasks, arguments.runs, folder):
                    rows.append(row)
                    rate = "" if row["rate"] is None else f"   rate {row['rate']:.4f} of {FPR} asked"
                    size = "" if row["bytes"] is None else f"   {row['bytes'] / 1e6:.1f} MB"
                    print(f"{row['keys']:>12,} keys  {row['name']:18} {row['seconds']:8.2f} s   "
                          f"{row['ratio']:5.2f} x{rate}{size}", flush=True)
    finally:
        spark.stop()
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"master": arguments.master, "tasks": arguments.tasks, "fpr": FPR,
                       "pyspark": pyspark.__version__, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
