"""bloomery bench: what it says of filters and sets agrees with what is known of them. No time is judged."""

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
