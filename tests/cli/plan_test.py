"""bloomery plan: the numbers of the textbook, however they are asked for."""

from cli import CliTest


class Numbers(CliTest):
    def filters(self, *arguments):
        return {row["kind"]: row for row in self.ok("plan", *arguments, "--json").json["filters"]}

    def test_literal_output(self):
        self.assertEqual(
            "kind           keys        bits  hashes  bits/key  predicted fpr       bytes  bank bytes\n"
            "classic   1,600,000  23,004,141      10     14.38          0.1 %   2,875,520   2,876,160\n"
            "blocked   1,600,000  25,159,680       8     15.72      0.09999 %   3,144,960   3,145,664\n"
            "counting  1,600,000  23,004,141      10     57.51          0.1 %  11,502,072  11,503,808\n",
            self.ok("plan", "--keys", "1.6M", "-p", "1-in-1000").text)

    def test_a_rate_is_one_number_however_it_is_written(self):
        ways = ["0.001", "0.1%", "1-in-1000", "1-in-1K", "1e-3", "0.00100", ".1%"]
        outputs = {self.ok("plan", "-n", "12345", "-p", way, "--json").out for way in ways}
        self.assertEqual(1, len(outputs))

    def test_counts_and_sizes_take_units(self):
        for a, b in (("--keys=1.6M", "--keys=1600000"), ("--keys=50K", "--keys=50_000"),
                     ("--keys=0.001G", "--keys=1000000")):
            self.assertEqual(self.ok("plan", a).out, self.ok("plan", b).out)
        for a, b in (("64KiB", "65536"), ("64K", "64KiB"), ("64KB", "64000"), ("1.5M", "1572864"),
                     ("2MiB", "2097152B")):
            self.assertEqual(self.ok("plan", "-n", "50K", "--bytes", a).out,
                             self.ok("plan", "-n", "50K", "--bytes", b).out)

    def test_the_report_with_and_without_fixed_hashes(self):
        self.assertEqual((24404, 7), tuple(self.filters("-n", "2546")["classic"][k] for k in ("bits", "hashes")))
        self.assertEqual((24424, 7), tuple(self.filters("-n", "2546", "-k", "7")["classic"][k]
                                           for k in ("bits", "hashes")))

    def test_two_of_three_give_the_third(self):
        size = self.filters("-n", "50K", "-p", "1%", "--kind", "classic")["classic"]
        keys = self.filters("--bytes", str(size["bytes"]), "-p", "1%", "--kind", "classic")["classic"]
        self.assertAlmostEqual(50_000, keys["keys"], delta=10)
        rate = self.filters("-n", "50K", "--bytes", str(size["bytes"]), "--kind", "classic")["classic"]
        self.assertAlmostEqual(0.01, rate["predicted_fpr"], delta=1e-4)

    def test_too_large_for_the_memory_is_a_no(self):
        outcome = self.bloomery("plan", "-n", "1M", "--kind", "classic", "--memory", "1MiB")
        self.assertEqual(1, outcome.status)
        self.assertIn("does not fit --memory 1.00 MiB", outcome.message)


class Data(CliTest):
    def test_the_plan_of_the_whole_table_is_the_report(self):
        self.ok("generate", "ratings", "-o", "r.tsv")
        plan = self.ok("plan", "r.tsv", "--key", "tconst", "--group", "round(averageRating)", "-p", "0.01",
                       "--kind", "classic", "--json").json
        bits = {row["group"]: row["bits"] for row in plan["groups"]}
        self.assertEqual({"1": 24404, "2": 63482, "3": 171928, "4": 420900, "5": 990060, "6": 2117062,
                          "7": 3578304, "8": 3406684, "9": 1092505, "10": 156103}, bits)
        self.assertTrue(all(row["hashes"] == 7 for row in plan["groups"]))

    def test_a_saved_plan_gives_the_bank_that_was_planned(self):
        self.ok("generate", "ratings", "--factor", "0.002", "-o", "r.tsv")
        recipe = ("--key", "tconst", "--group", "round(averageRating)")
        plan = self.ok("plan", "r.tsv", *recipe, "-o", "r.plan", "--json").json
        self.ok("build", "r.tsv", *recipe, "-o", "direct.bank")
        self.ok("build", "r.tsv", "--plan-from", "r.plan", "-o", "planned.bank")
        self.ok("build", "r.tsv", "--plan-from", "direct.bank", "-o", "again.bank")
        direct = (self.folder / "direct.bank").read_bytes()
        self.assertEqual(plan["bank_bytes"], len(direct))
        self.assertEqual(direct, (self.folder / "planned.bank").read_bytes())
        self.assertEqual(direct, (self.folder / "again.bank").read_bytes())
