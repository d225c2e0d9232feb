"""bloomery bench: what it says of filters and sets agrees with what is known of them. No time is judged."""

import itertools
import math

from cli import CliTest


class Bench(CliTest):
    def tables(self, *arguments):
        return self.ok("bench", "--rounds", "1", *arguments, "--json").json

    def test_sets_take_many_times_the_memory_and_filters_keep_their_rate(self):
        rows = self.tables("--keys", "1K,100K", "--table", "sets")["sets"]
        self.assertEqual([1000] * 5 + [100_000] * 5, [row["keys"] for row in rows])
        for row in rows:
            if "::" in row["structure"]:
                self.assertGreater(row["bits_per_key"], 200)
                self.assertIsNone(row["rate"])
                continue
            self.assertLess(row["bits_per_key"], 42 if row["structure"] == "counting" else 11)
            slack = 6 * math.sqrt(0.01 / 100_000) + (0.004 if row["keys"] == 1000 else 0.0005)
            self.assertAlmostEqual(row["predicted"], row["rate"], delta=slack)

    def test_errors_follow_the_formula_beside_the_published_ones(self):
        rows = self.tables("--keys", "50K", "--table", "errors")["errors"]
        self.assertEqual([50_000] * 5 + [329] * 5, [row["keys"] for row in rows])
        for row in rows:
            bits_per_key = row["bits"] / row["keys"]
            formula = (1 - math.exp(-8 / bits_per_key)) ** 8
            self.assertAlmostEqual(formula, row["predicted"], delta=0.003)
            error = 6 * row["spread"] / math.sqrt(row["filters"]) + 0.005
            self.assertAlmostEqual(row["predicted"], row["rate"], delta=error)
        self.assertEqual([0.9465, 0.5293, 0.2293, 0.0982, 0.0293], [row["published_rate"] for row in rows[5:]])
        self.assertEqual([None] * 5, [row["published_rate"] for row in rows[:5]])

    def test_rounds_and_threads_account_for_every_question(self):
        found = self.tables("--keys", "10K", "--threads", "3", "--table", "rounds", "--table", "threads")
        self.assertNotIn("sets", found)
        self.assertEqual([329 * n for n in range(2000, 10_001, 2000)], [row["questions"] for row in found["rounds"]])
        self.assertEqual([1, 2, 3] * 2, [row["threads"] for row in found["threads"]])
        for row in found["threads"]:
            self.assertEqual(row["questions"], row["admitted"] + row["rejected"])
        self.assertEqual(1, len({row["admitted"] for row in found["threads"][:3]}))

    def test_what_a_filter_lost_is_said_for_each_table(self):
        """Every number of a filter against the same of every set, counted again from the tables."""
        found = self.tables("--keys", "1K,20K", "--table", "sets", "--table", "rounds")
        lost, compared = set(), {}
        pairs = [(name, name) for name in ("bits_per_key", "insert_ns", "absent_ns", "present_ns", "mixed_ns")]
        pairs += [(f"{name}_batched_ns", f"{name}_ns") for name in ("absent", "present", "mixed")]

        def compare(table, mine, other, at, ours, theirs):
            compared[table, mine] = compared.get((table, mine), 0) + 1
            if ours > theirs:
                lost.add((table, mine, other, at, ours, theirs))

        for mine in found["sets"]:
            for other in found["sets"]:
                if "::" not in mine["structure"] and "::" in other["structure"] and mine["keys"] == other["keys"]:
                    for ours, theirs in pairs:
                        compare("sets", mine["structure"], other["structure"], mine["keys"], mine[ours], other[theirs])
        for row in found["rounds"]:
            for mine, way in itertools.product(("blocked", "classic"), ("", "_singly")):
                for other, column in (("std::unordered_set", "std_set_ms"), ("boost::unordered_flat_set", "flat_set_ms")):
                    if row[column] is not None:
                        compare("rounds", mine, other, row["rounds"], row[f"{mine}{way}_ms"], row[column])
        self.assertEqual(lost, {tuple(row[name] for name in ("table", "filter", "against", "at", "ours", "theirs"))
                                for row in found["losses"]})
        self.assertEqual({key: (count, sum(loss[:2] == key for loss in lost)) for key, count in compared.items()},
                         {(row["table"], row["filter"]): (row["comparisons"], row["lost"]) for row in found["verdicts"]})
        for row in found["losses"]:
            self.assertAlmostEqual(row["ours"] / row["theirs"], row["factor"], 12)
        text = self.ok("bench", "--rounds", "1", "--keys", "1K", "--table", "sets").text
        self.assertRegex(text, r"\nverdict  sets: blocked lost (none|\d+) of 16")

    def test_half_of_a_files_distinct_keys_go_in(self):
        self.write("keys.tsv", b"name\tn\n" + b"".join(b"key %d\t1\n" % (i % 5000) for i in range(12_000)))
        rows = self.tables("keys.tsv", "--key", "name", "--table", "sets")["sets"]
        self.assertEqual({2500}, {row["keys"] for row in rows})

    def test_a_handful_of_keys_is_no_defect(self):
        for keys in (2, 3, 30, 300):
            self.write("few.txt", b"".join(b"name %d\n" % i for i in range(keys)))
            found = self.tables("few.txt", "--table", "sets", "--table", "errors", "--table", "threads")
            self.assertEqual({keys // 2}, {row["keys"] for row in found["sets"]})

    def test_wrong_calls_name_what_is_wrong(self):
        self.fails("bloomery bench: --keys 1K,x: must be numbers above 0 with commas, as in 10K,1M", "bench", "--keys", "1K,x")
        self.write("one.txt", b"a\na\n")
        self.fails("bloomery bench: one.txt: has one distinct key; half of the keys go in and half are asked for in vain, "
                   "so give at least two", "bench", "one.txt")
        self.fails("bloomery bench: there are only 100 words of 2 letters; ask for fewer or longer ones", "bench", "--keys", "1K",
                   "--length", "2")
