"""Building on Spark, beside the least job that reads the same records, and beside Spark's own filter.

Usage: spark.py [--keys N] [--tasks N] [--runs N] [--master URL] [--json FILE]

The least job is a mapInArrow that reads everything and returns one row a task. Spark's own
bloomFilter is one group; above 4 million keys it clamps, so the rates that both reach stand beside
the times. Medians of alternated runs.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time


def seconds(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", type=int, default=50_000_000)
    parser.add_argument("--tasks", type=int, default=8)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--master", default="local-cluster[2,1,2048]")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from bloomery import spark as bs
    from pyspark.sql import SparkSession

    spark = (SparkSession.builder.master(arguments.master).config("spark.ui.enabled", "false")
             .config("spark.executor.memory", "2g").config("spark.driver.memory", "2g")
             .config("spark.log.level", "ERROR").getOrCreate())
    rows = {}
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "keys.parquet")
            spark.range(0, arguments.keys, 1, arguments.tasks).selectExpr(
                "concat('tt', lpad(cast(id as string), 9, '0')) as key").write.parquet(path)
            frame = spark.read.parquet(path)
            out = os.path.join(folder, "spark.bank")

            def least():
                def count(batches):
                    import pyarrow
                    total = sum(batch.num_rows for batch in batches)
                    yield pyarrow.RecordBatch.from_pydict({"n": [total]})
                return sum(row.n for row in frame.mapInArrow(count, "n long").collect())

            def build():
                return bs.build(frame, key="key", fpr=0.01, output=out, overwrite=True)

            def own():
                return frame._jdf.stat().bloomFilter("key", arguments.keys, 0.01)

            times = {}
            for _ in range(arguments.runs):
                for name, work in (("least mapInArrow", least), ("bloomery", build),
                                   ("Spark bloomFilter", own)):
                    took, result = seconds(work)
                    times.setdefault(name, []).append(took)
                    if name == "bloomery":
                        bank = result
                    elif name == "Spark bloomFilter":
                        theirs = result
            absent = [f"no{i}" for i in range(100_000)]
            rates = {"bloomery": float(bank.may_contain(absent).mean()),
                     "Spark bloomFilter": sum(theirs.mightContainString(key)
                                              for key in absent[:20_000]) / 20_000}
            base = statistics.median(times["least mapInArrow"])
            for name, list_of in times.items():
                median = statistics.median(list_of)
                rows[name] = {"seconds": median, "ratio": median / base, "rate": rates.get(name)}
                print(f"{name:18} {median:8.2f} s   {median / base:5.2f} x   "
                      f"rate {rates.get(name, float('nan')):.4f}")
    finally:
        spark.stop()
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"keys": arguments.keys, "tasks": arguments.tasks, "runs": arguments.runs,
                       "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
