"""Banks: built from tables and files with the bytes of the command line, asked, verified, merged."""

import json
import os
import pickle
import unittest

import bloomery
import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet
from bloomery import _core, errors
from support import FolderTest

RECIPE = {"key": "tconst", "group": "round(averageRating)"}


class Building(FolderTest):
    def setUp(self):
        super().setUp()
        self.tsv = self.ratings()
        self.cli("build", self.tsv, "--key", RECIPE["key"], "--group", RECIPE["group"], "-p", "0.5%",
                 "-q", "-o", "cli.bank")
        self.expected = (self.folder / "cli.bank").read_bytes()
        # As text, so that ratings are what the file says.
        options = pyarrow.csv.ConvertOptions(column_types={"averageRating": pyarrow.string()})
        self.table = pyarrow.csv.read_csv(
            self.tsv, parse_options=pyarrow.csv.ParseOptions(delimiter="\t"), convert_options=options)

    def test_every_source_gives_the_bytes_of_the_command_line(self):
        table = self.table
        numbers = table.set_column(1, "averageRating",
                                   table["averageRating"].cast(pyarrow.float64()))
        decimals = table.set_column(1, "averageRating",
                                    table["averageRating"].cast(pyarrow.decimal128(4, 1)))
        pyarrow.parquet.write_table(table, self.folder / "ratings.parquet", row_group_size=3000)
        dataset = pyarrow.dataset.dataset(self.folder / "ratings.parquet")
        shuffled = table.take(numpy.random.default_rng(1).permutation(len(table)))
        frame = numbers.to_pandas()
        sources = {
            "path": self.tsv, "list of paths": [str(self.tsv)], "table": table, "floats": numbers,
            "float32": table.set_column(1, "averageRating",
                                        table["averageRating"].cast(pyarrow.float32())),
            "decimals": decimals, "parquet dataset": dataset, "shuffled": shuffled,
            "reader": table.to_reader(max_chunksize=777),
            "record batch": table.combine_chunks().to_batches()[0],
            "pandas": frame, "polars": polars.from_arrow(numbers),
            "duckdb": duckdb.sql("select * from frame"),
        }
        for name, source in sources.items():
            for threads in (1, 3):
                if name == "reader" and threads == 3:
                    continue  # is read already
                if name == "duckdb" and threads == 3:
                    source = duckdb.sql("select * from frame")
                with self.subTest(name, threads=threads):
                    bank = bloomery.build(source, fpr=0.005, threads=threads, **RECIPE)
                    self.assertEqual(self.expected, bank.to_bytes())
                    self.assertEqual(self.records, bank.facts["records"]["used"])

    def test_dialects_and_numbers_give_the_bytes_of_the_command_line(self):
        for dialect in ("spark", "spark-v1", "hadoop", "pisa-python"):
            self.cli("build", self.tsv, "--key", RECIPE["key"], "--group", RECIPE["group"],
                     "--dialect", dialect, "-q", "-f", "-o", "other.bank")
            bank = bloomery.build(self.table, dialect=dialect, **RECIPE)
            self.assertEqual((self.folder / "other.bank").read_bytes(), bank.to_bytes(), dialect)
            found = bloomery.verify(bank, self.table)
            self.assertEqual(0, sum(group["false_negatives"] for group in found.groups))
            self.assertTrue(bank.may_contain(self.table["tconst"]).all())
            self.assertEqual(dialect, bank["7"].filter().spec["dialect"])
        (self.folder / "numbers.txt").write_text("-5\n7\n9223372036854775807\n")
        self.cli("build", "numbers.txt", "--key", "1", "--key-type", "i64", "--dialect", "spark",
                 "-q", "-f", "-o", "other.bank")
        numbers = pyarrow.table({"n": pyarrow.array([-5, 7, 2**63 - 1])})
        bank = bloomery.build(numbers, key="1", key_type="i64", dialect="spark")
        self.assertEqual((self.folder / "other.bank").read_bytes(), bank.to_bytes())
        self.assertEqual([["all"], []], bank.query([-5, 8]))
        with self.assertRaisesRegex(errors.UnsupportedError, "read only once"):
            bloomery.build(numbers.to_reader(), key="n", key_type="i64", dialect="spark")
        with self.assertRaisesRegex(errors.InvalidError, 'dialect "guawa"'):
            bloomery.build(numbers, key="n", dialect="guawa")

    def test_output_overwrite_and_metadata(self):
        path = self.folder / "made.bank"
        bank = bloomery.build(self.table, fpr=0.005, output=path, **RECIPE)
        self.assertEqual(self.expected, path.read_bytes())
        self.assertEqual(str(path), bank.path)
        with self.assertRaisesRegex(errors.ExistsError, "exists; ask to overwrite it"):
            bloomery.build(self.table, output=path, **RECIPE)
        bank = bloomery.build(self.table, output=path, overwrite=True, metadata={"from": "test"},
                              **RECIPE)
        self.assertEqual({"from": "test"}, bank.metadata)

    def test_paths_of_any_bytes(self):
        name = os.fsdecode(b"m\xe4de.bank")
        bank = bloomery.build(self.table, fpr=0.005, output=self.folder / name, **RECIPE)
        self.assertEqual(str(self.folder / name), bank.path)
        self.assertIn(name, os.listdir(self.folder))
        self.assertEqual(bank, bloomery.open(os.fsencode(bank.path)))
        data = self.folder / os.fsdecode(b"d\xe4ta.tsv")
        data.write_bytes(self.tsv.read_bytes())
        self.assertEqual(self.expected, bloomery.build(data, fpr=0.005, **RECIPE).to_bytes())
        self.assertEqual(bank, bloomery.merge([bank], self.folder / os.fsdecode(b"merg\xe4d")))
        bloomery.save({"a": bloomery.Filter(5)}, self.folder / os.fsdecode(b"s\xe4ved"))
        with self.assertRaisesRegex(errors.ExistsError, r"m\\xe4de.bank: exists"):
            bloomery.build(self.table, output=self.folder / name, **RECIPE)

    def test_a_plan_brings_its_secret(self):
        secret = bytes(range(16))
        table = pyarrow.table({"key": [f"k{i}" for i in range(1000)]})
        bank = bloomery.build(table, key="key", hash="sip", secret=secret, output=self.folder / "1")
        again = bloomery.open(self.folder / "1", secret=secret)
        plan = bloomery.plan(table, key="key", hash="sip", secret=secret)
        for source in (bank, again, plan, pickle.loads(pickle.dumps(plan)),
                       bloomery.Plan.from_json(plan.to_json(), secret)):
            built = bloomery.build(table, plan_from=source, output=self.folder / "2", overwrite=True)
            self.assertEqual(bank, built)
            self.assertEqual(["all"], built.query("k7"))
        with self.assertRaisesRegex(errors.InvalidError, "is not that of plan_from"):
            bloomery.build(table, plan_from=again, secret=bytes(16))

    def test_plan_and_build_from_it_so_that_banks_merge(self):
        plan = bloomery.plan(self.table, fpr=0.005, **RECIPE)
        self.assertEqual(10, len(plan))
        self.assertEqual(plan, pickle.loads(pickle.dumps(plan)))
        self.assertEqual(plan, bloomery.Plan.from_json(plan.to_json()))
        self.cli("plan", self.tsv, "--key", RECIPE["key"], "--group", RECIPE["group"], "-p", "0.5%",
                 "-q", "-o", "cli.plan")
        self.assertEqual((self.folder / "cli.plan").read_text(), plan.to_json())
        whole = bloomery.build(self.table, plan_from=plan)
        self.assertEqual(self.expected, whole.to_bytes())
        parts = [bloomery.build(self.table[:9000], plan_from=plan),
                 bloomery.build(self.table[9000:], plan_from=whole)]
        merged = bloomery.merge(parts, self.folder / "merged.bank")
        self.assertEqual(self.expected, merged.to_bytes())

    def test_distinct_keys_and_kinds(self):
        for flags, spec in ((["--kind", "classic", "--hash", "murmur3", "--seed", "9"],
                             {"kind": "classic", "hash": "murmur3", "seed": 9}),
                            (["--kind", "counting", "--distinct"],
                             {"kind": "counting", "distinct": True}),
                            (["--kind", "classic", "--seeds", "1,2,3"],
                             {"kind": "classic", "seeds": [1, 2, 3]})):
            self.cli("build", self.tsv, "--key", "1", "--header", "-q", "-f", "-o", "k.bank", *flags)
            source = self.table if "seeds" not in spec else self.tsv
            if "seeds" in spec:
                self.cli("build", self.tsv, "--key", "tconst", "-q", "-f", "-o", "k.bank", *flags)
                bank = bloomery.build(source, key="tconst", **spec)
            else:
                bank = bloomery.build(source, key="1", **spec)
            self.assertEqual((self.folder / "k.bank").read_bytes(), bank.to_bytes(), spec)

    def test_keys_of_several_columns_and_of_numbers(self):
        table = pyarrow.table({"a": ["x", "y", None], "b": [1, 2, 3]})
        (self.folder / "ab.csv").write_text("a,b\nx,1\ny,2\n,3\n")
        self.cli("build", "ab.csv", "--key", "a,b", "-q", "-f", "-o", "ab.bank")
        bank = bloomery.build(table, key=["a", "b"])
        self.assertEqual((self.folder / "ab.bank").read_bytes(), bank.to_bytes())
        self.assertEqual({"read": 3, "used": 2, "missing": 1, "rejected": 0, "blank": 0, "header": 0},
                         bank.facts["records"])
        self.cli("build", "ab.csv", "--key", "b", "--key-type", "u64", "-q", "-f", "-o", "ab.bank")
        numbers = bloomery.build(table, key="b", key_type="u64")
        self.assertEqual((self.folder / "ab.bank").read_bytes(), numbers.to_bytes())
        self.assertEqual(["all"], numbers.query(3))

    def test_large_strings_nulls_and_skewed_groups(self):
        keys = ["k" * 100_000 + str(i) for i in range(50)] + [None] * 3 + [""]
        groups = ["big"] * 48 + ["small", None] + ["big"] * 4
        table = pyarrow.table({"key": pyarrow.array(keys, pyarrow.large_string()), "group": groups})
        bank = bloomery.build(table, key="key", group="group")
        self.assertEqual({"big": 48, "small": 1}, {name: bank[name].count for name in bank})
        self.assertEqual((49, 5), (bank.facts["records"]["used"], bank.facts["records"]["missing"]))

    def test_arguments_of_the_wrong_kind(self):
        table = pyarrow.table({"k": ["a"]})
        twice = pyarrow.Table.from_arrays([pyarrow.array(["a"]), pyarrow.array(["b"])], names=["k", "k"])
        for call, kind, message in (
                (lambda: bloomery.build(table, key="k", fpr="1%"), TypeError, "fpr='1%': must be a number"),
                (lambda: bloomery.build(table, key="k", threads=-1), TypeError, "threads=-1: must be a whole number"),
                (lambda: bloomery.build(table, key="k", metadata={"a": 1}), TypeError, "metadata={'a': 1}: names and values"),
                (lambda: bloomery.build(table, key="k", plan_from="x.bank"), TypeError, "plan_from='x.bank': must be a Plan"),
                (lambda: bloomery.build(twice, key="k"), errors.InvalidError, 'record batches: two columns have the name "k"'),
                (lambda: bloomery.build(pyarrow.table({"k": [1.5]}), key="k"), errors.UnsupportedError,
                 'column "k": a double makes no key'),
                (lambda: bloomery.merge("x.bank", "y.bank"), TypeError, "merge() takes a list of banks"),
                (lambda: bloomery.save([bloomery.Filter(1)], "x.bank"), TypeError, "save() takes filters by group"),
                (lambda: bloomery.verify("none.bank", table), errors.NotFoundError, "none.bank: No such file")):
            with self.assertRaises(kind) as raised:
                call()
            self.assertTrue(str(raised.exception).startswith(message), raised.exception)
        self.assertEqual(bloomery.build(twice, key=1), bloomery.build(twice, key="1"))
        self.assertEqual([True], bloomery.build(pyarrow.array(["a"])).may_contain(["a"]).tolist())

    def test_what_is_wrong_is_said_and_nothing_is_replaced(self):
        path = self.folder / "cli.bank"
        for message, arguments in (
                ('no column "tkonst"; there are tconst', {"key": "tkonst"}),
                ("which of 3 columns is the key", {}),
                ("fpr", {"key": "tconst", "fpr": 7}),
                ("bad, more than max_bad=", {"key": "tconst", "group": "round(tconst)"}),
                ("rejected", {"key": "tconst", "group": "round(tconst)", "strict": True}),
                ("more than 3 groups", {"key": "tconst", "group": "tconst", "max_groups": 3})):
            with self.assertRaisesRegex(errors.Error, message):
                bloomery.build(self.table, output=path, overwrite=True, **arguments)
            self.assertEqual(self.expected, path.read_bytes())
        with self.assertRaisesRegex(errors.NotFoundError, "No such file"):
            bloomery.build(self.folder / "nothing.tsv", key="1")
        with self.assertRaisesRegex(TypeError, "no records in int"):
            bloomery.build(5, key="1")
        with self.assertRaisesRegex(TypeError, "unknown argument 'treads'"):
            bloomery.build(self.table, key="tconst", treads=2)
        with self.assertRaisesRegex(errors.IoError, "Arrow stream.*division"):
            def failing():
                yield self.table.to_batches()[0]
                raise ValueError("division by zero")
            bloomery.build(pyarrow.RecordBatchReader.from_batches(self.table.schema, failing()),
                           key="tconst")


class Asking(FolderTest):
    def setUp(self):
        super().setUp()
        self.tsv = self.ratings("0.004")
        self.bank = bloomery.build(self.tsv, fpr=0.01, output=self.folder / "b.bank", **RECIPE)

    def test_queries_are_those_of_the_command_line(self):
        keys = [f"tt{i:07}" for i in range(3000)] + ["nobody", ""]
        lines = self.cli("query", "b.bank", "--json", stdin="\n".join(keys[:-1]).encode() + b"\n")
        expected = [json.loads(line)["groups"] for line in lines.splitlines()]
        self.assertEqual(expected, self.bank.query(keys[:-1]))
        self.assertEqual(expected, self.bank.query(numpy.array(keys[:-1])))
        self.assertEqual(expected[0], self.bank.query(keys[0]))
        any_of = self.bank.may_contain(pyarrow.array([*keys[:-1], None]))
        self.assertEqual([bool(groups) for groups in expected] + [False], any_of.tolist())
        some = self.bank.may_contain(keys, groups=["7", "8"])
        self.assertEqual([bool({"7", "8"} & set(self.bank.query(key))) for key in keys], some.tolist())

    def test_a_bank_is_a_mapping_of_groups(self):
        bank = self.bank
        self.assertEqual([str(i) for i in sorted(map(str, range(1, 11)))], sorted(bank.groups))
        self.assertEqual(len(bank.groups), len(bank))
        self.assertTrue("7" in bank and "77" not in bank)
        self.assertEqual(self.records, sum(bank[name].count for name in bank))
        with self.assertRaisesRegex(errors.NotFoundError, 'no group "77"'):
            bank["77"]
        entry = bank[bank.query("tt0000001")[0]]
        self.assertIn("tt0000001", entry)
        self.assertEqual(entry.filter().spec, entry.spec)
        self.assertEqual(RECIPE, bank.recipe)

    def test_a_choice_of_groups_is_never_taken_for_all(self):
        bank = bloomery.build(pyarrow.table({"k": ["a", "b"], "g": ["x", "y"]}), key="k", group="g", fpr=1e-6)
        self.assertEqual([True], bank.may_contain(["a"], groups="x").tolist())
        self.assertEqual([False], bank.may_contain(["a"], groups=("y",)).tolist())
        for ask in (bank.may_contain, bank.query):
            with self.assertRaisesRegex(errors.InvalidError, "^groups=: no group to ask; leave it out to ask all"):
                ask(["a"], groups=[])
        self.assertEqual(["x", "y"], bank.keys())
        self.assertEqual([("x", 1), ("y", 1)], [(group, entry.count) for group, entry in bank.items()])
        self.assertEqual([1, 1], [entry.count for entry in bank.values()])
        self.assertIsNone(bank.get("z"))
        self.assertIn("a", bank.get("x"))
        self.assertEqual(([], False), (bank.query(None), bank.may_contain(None)))
        self.assertEqual(hash(bank), hash(pickle.loads(pickle.dumps(bank))))

    def test_pickle_save_and_open_give_the_same_bank(self):
        for other in (pickle.loads(pickle.dumps(self.bank)), bloomery.open(self.folder / "b.bank"),
                      bloomery.open(self.folder / "b.bank", load=True)):
            self.assertEqual(self.bank, other)
            self.assertEqual(self.bank.to_bytes(), other.to_bytes())
        self.bank.save(self.folder / "c.bank")
        self.assertEqual((self.folder / "b.bank").read_bytes(), (self.folder / "c.bank").read_bytes())

    def test_filters_saved_by_group(self):
        first, second = bloomery.Filter(10), bloomery.Filter(20, kind="classic")
        first.insert("a")
        second.update(["b", "c"])
        bloomery.save({"one": first, b"\xff": second}, self.folder / "two.bank")
        bank = bloomery.open(self.folder / "two.bank")
        self.assertEqual(["one", b"\xff"], bank.groups)
        self.assertEqual(["one"], bank.query("a"))
        self.assertEqual(second, bank[b"\xff"].filter())

    def test_verify_is_that_of_the_command_line(self):
        expected = json.loads(self.cli("verify", "b.bank", self.tsv, "--json", "-q"))
        frame = pandas.read_csv(self.tsv, sep="\t", dtype=str)
        for source in (self.tsv, frame):
            found = bloomery.verify(self.bank, source)
            self.assertTrue(found and found.is_ok and found.is_exact)
            self.assertEqual(expected["groups"], found.groups)
            self.assertEqual(self.records, found.records)
        sampled = bloomery.verify(self.bank, frame, sample=0.1)
        self.assertLess(sampled.records, 700)
        other = bloomery.build(frame[:100], **RECIPE)
        self.assertFalse(bloomery.verify(other, frame))

    def test_candidates_come_in_rows_of_a_mebibyte(self):
        # Of each record two, because every one bears witness: more than Arrow has room for in one
        # field, were there a hundred thousand times as many.
        count = 70_000
        table = pyarrow.table({"key": [f"k{i % 35_000}" for i in range(count)],
                               "group": [str(i // 35_000) for i in range(count)]})
        bank = bloomery.build(table, key="key", group="group")
        task = _core.VerifyTask(bank, bank.recipe, 1.0, True, 1, {})
        for batch in table.to_batches():
            task.read_batch(batch)
        rows = task.finish()
        candidates = [payload for _, kind, payload in rows if kind == 2]
        self.assertGreater(len(candidates), 3)
        self.assertLess(max(map(len, candidates)), 1 << 21)
        settle = _core.SettleTask(bank)
        settle.read_rows(pyarrow.RecordBatch.from_pydict({
            "part": pyarrow.array([row[0] for row in rows], pyarrow.int32()),
            "kind": pyarrow.array([row[1] for row in rows], pyarrow.int32()),
            "payload": pyarrow.array([row[2] for row in rows], pyarrow.binary())}))
        end = _core.VerifyEnd(bank)
        for kind, payload in settle.finish():
            end.add(kind, payload)
        self.assertEqual(bloomery.verify(bank, table).groups, json.loads(end.conclude())["groups"])

    def test_a_task_that_runs_again_with_its_rows_in_another_order_sends_the_same_frames(self):
        count = 20_000
        table = pyarrow.table({"key": [f"k{i}" for i in range(count)],
                               "group": [str(i % 7) for i in range(count)]})
        orders = (table, table.take(numpy.random.default_rng(1).permutation(count)))
        for arguments in ({}, {"kind": "counting"}, {"kind": "classic", "seeds": [1, 2, 3]},
                          {"dialect": "spark"}):
            plan = bloomery.plan(table, key="key", group="group", **arguments)
            for strategy in ("indexes", "filters", "auto"):
                first, again = (self.frames_of(order, plan, strategy) for order in orders)
                self.assertGreater(len(first), 7)
                # Not assertEqual, which takes minutes to show how megabytes differ.
                self.assertTrue(first == again, (arguments, strategy))

    def test_groups_planned_with_different_seeds_are_refused_also_for_tasks(self):
        table = pyarrow.table({"key": ["a", "b"], "group": ["x", "y"]})
        text = json.loads(bloomery.plan(table, key="key", group="group", kind="classic",
                                        seeds=[1, 2, 3]).to_json())
        text["groups"][1]["seeds"] = [4, 5, 6]
        mixed = bloomery.Plan.from_json(json.dumps(text))
        with self.assertRaisesRegex(errors.MismatchError, "different hashes, seeds"):
            bloomery.build(table, key="key", group="group", plan_from=mixed)
        with self.assertRaisesRegex(errors.MismatchError, "different hashes, seeds"):
            _core.takes_hashes(mixed, {})

    @staticmethod
    def frames_of(table, plan, strategy):
        def read(task):
            for batch in table.to_batches(max_chunksize=6000):
                task.read_batch(batch)
            return task.finish()

        if not _core.takes_hashes(plan, {}):
            return read(_core.PartialTask(plan.recipe, plan, 3, strategy, 0, {}))
        rows = read(_core.HashTask(plan.recipe, plan, {}, {}))
        task = _core.EncodeTask(plan, 3, strategy, 0)
        for row in rows:
            task.read_rows(pyarrow.RecordBatch.from_pydict({
                "kind": pyarrow.array([row[0]], pyarrow.int32()),
                "group": pyarrow.array([row[1]], pyarrow.binary()),
                "payload": pyarrow.array([row[2]], pyarrow.binary())}))
        return task.finish()

    def test_damaged_and_missing_banks(self):
        whole = bytearray((self.folder / "b.bank").read_bytes())
        whole[-100] ^= 1
        (self.folder / "bad.bank").write_bytes(whole)
        with self.assertRaises(errors.DamagedError):
            bloomery.open(self.folder / "bad.bank")
        with self.assertRaises(errors.NotFoundError):
            bloomery.open(self.folder / "none.bank")
        with self.assertRaises(LookupError):
            bloomery.open(self.folder / "none.bank")


if __name__ == "__main__":
    unittest.main()
