"""The main commands from end to end: literal output, status, message."""

import gzip
import json

from cli import SOURCE, CliTest


class Build(CliTest):
    RECORDS = b"id\trating\nx1\t8.5\nx2\t9.4\nx3\t1.0\n\nx4\t\\N\nx5\n\\N\t3\nx6\tgood\nx7\t2.5\n"

    def test_every_record_is_accounted_for(self):
        self.write("r.tsv", self.RECORDS)
        outcome = self.ok("build", "r.tsv", "--key", "id", "--group", "round(rating)", "-o", "r.bank",
                          "--lenient")
        lines = outcome.text.splitlines()
        self.assertEqual("sniffed  tab-separated, header, 2 columns", lines[0])
        self.assertIn("records  10 read = 4 used + 2 rejected + 2 missing + 1 blank + 1 header", lines)
        self.assertIn("next   bloomery verify r.bank r.tsv", lines)
        self.assertEqual(
            "bloomery build: 1 bad record: field_count (not as many fields as the header or the "
            "first record)\n"
            "bloomery build:   r.tsv: byte 38: 1 field where 2 were expected: \"x5\"\n"
            "bloomery build: 1 bad record: group_not_number (the group is not a decimal number)\n",
            "".join(outcome.message.splitlines(True)[:3]))
        groups = self.ok("inspect", "--groups", "r.bank").text.split()
        self.assertEqual(["1", "3", "9"], groups)

    def test_too_many_bad_records_replace_nothing(self):
        self.write("r.tsv", self.RECORDS)
        self.write("r.bank", "what was there")
        flags = ("r.tsv", "--key", "id", "--group", "round(rating)", "-o", "r.bank", "-f")
        for extra in ((), ("--strict",), ("--max-bad", "10%")):
            outcome = self.bloomery("build", *flags, *extra)
            self.assertEqual((2, b""), (outcome.status, outcome.out))
            self.assertEqual("what was there", (self.folder / "r.bank").read_text())
        self.ok("build", *flags, "--max-bad", "25%")

    def test_bad_records_are_written_once_however_often_the_input_is_read(self):
        self.write("r.tsv", self.RECORDS)
        flags = ("build", "r.tsv", "--key", "id", "--group", "round(rating)", "-o", "r.bank", "--lenient",
                 "--rejects", "bad.jsonl")
        self.ok(*flags)
        once = (self.folder / "bad.jsonl").read_text()
        self.assertEqual(["field_count", "group_not_number"],
                         [json.loads(line)["category"] for line in once.splitlines()])
        self.ok(*flags, "-f", "--kind", "classic", "--seeds", "1,2,3")  # reads twice
        self.assertEqual(once, (self.folder / "bad.jsonl").read_text())
        (self.folder / "r.bank").unlink()
        refusal = "--rejects bad.jsonl: exists; -f replaces it, or name another file"
        self.fails("bloomery build: " + refusal, *flags)
        self.ok("build", "r.tsv", "--key", "id", "--group", "round(rating)", "-o", "r.bank", "--lenient")
        verify = ("verify", "r.bank", "r.tsv", "--lenient", "--rejects", "bad.jsonl")
        self.fails("bloomery verify: " + refusal, *verify)
        self.write("bad.jsonl", "old")
        self.ok(*verify, "-f")
        self.assertEqual(once, (self.folder / "bad.jsonl").read_text())

    def test_nothing_is_replaced_without_f(self):
        self.make_bank()
        before = (self.folder / "small.bank").read_bytes()
        self.fails("bloomery build: small.bank: exists; -f replaces it, or name another file",
                   "build", "-o", "small.bank", stdin=b"z\n")
        self.assertEqual(before, (self.folder / "small.bank").read_bytes())

    def test_columns_are_guessed(self):
        self.write("r.tsv", self.RECORDS)
        self.fails('bloomery build: r.tsv: there is no column "di"; the columns are id, rating; did you '
                   'mean "id"?', "build", "r.tsv", "--key", "di", "-o", "x.bank")

    def test_a_long_first_record_is_a_record_like_any_other(self):
        long = b"x" * 300_000
        for records in (long + b"\t1\nb\t2\n", long + b"\t1", b"a\t" + long + b"\nb\t2\n"):
            read = records.count(b"\t")
            self.write("r.tsv", records)
            outcome = self.ok("build", "r.tsv", "--key", "1", "--group", "prefix(2,1)", "-f", "-o", "r.bank")
            self.assertIn(f"records  {read} read = {read} used + 0 rejected", outcome.text)
            self.ok("build", "--key", "1", "--group", "prefix(2,1)", "-f", "-o", "r.bank", stdin=records)

    def test_forms_of_input_give_one_bank(self):
        self.ok("generate", "ratings", "--factor", "0.001", "-o", "r.tsv")
        self.ok("generate", "ratings", "--factor", "0.001", "-o", "r.csv", "--format", "csv")
        self.ok("generate", "ratings", "--factor", "0.001", "-o", "r.jsonl", "--json")
        text = (self.folder / "r.tsv").read_bytes()
        self.write("r.tsv.gz", gzip.compress(text))
        recipe = ("--key", "tconst", "--group", "round(averageRating)", "-o")
        banks = set()
        for name in ("r.tsv", "r.csv", "r.jsonl", "r.tsv.gz"):
            self.ok("build", name, *recipe, name + ".bank")
            banks.add((self.folder / (name + ".bank")).read_bytes())
        self.ok("build", *recipe, "stdin.bank", stdin=text)
        banks.add((self.folder / "stdin.bank").read_bytes())
        for kernel in ("scalar", "avx2", "avx512"):
            if kernel in self.ok("--version", "--json").json["kernels"]:
                self.ok("build", "r.tsv", *recipe, kernel + ".bank",
                        environment={"BLOOMERY_KERNEL": kernel})
                banks.add((self.folder / (kernel + ".bank")).read_bytes())
        self.assertEqual(1, len(banks))

    def test_a_kernel_that_is_not_there_is_refused(self):
        self.fails("bloomery formats: BLOOMERY_KERNEL=abacus: not on this machine; bloomery --version lists "
                   "its kernels", "formats", environment={"BLOOMERY_KERNEL": "abacus"})

    def test_dry_run_writes_nothing_and_knows_the_size(self):
        self.write("r.tsv", self.RECORDS)
        flags = ("r.tsv", "--key", "id", "--group", "round(rating)", "--lenient", "-o", "r.bank")
        dry = self.ok("build", *flags, "--dry-run", "--json").json
        self.assertFalse((self.folder / "r.bank").exists())
        self.ok("build", *flags)
        self.assertEqual(dry["bytes"], (self.folder / "r.bank").stat().st_size)

    def test_repeated_keys_give_a_warning_that_names_the_flag(self):
        outcome = self.ok("build", "-o", "x.bank", stdin=b"same\n" * 5000)
        self.assertIn("warning: ", outcome.message)
        self.assertIn("--distinct", outcome.message)
        outcome = self.ok("build", "-o", "d.bank", "--distinct", stdin=b"same\n" * 5000)
        self.assertEqual("", outcome.message)

    def test_strategies_are_weighed(self):
        self.ok("generate", "ratings", "--factor", "0.05", "-o", "r.tsv")
        weights = {}
        for strategy in ("indexes", "filters", "auto"):
            built = self.ok("build", "r.tsv", "--key", "tconst", "--strategy", strategy, "--tasks", "8",
                            "-o", strategy + ".bank", "--json").json
            weights[strategy] = built["shipped_bytes"]
            self.assertEqual(8, built["tasks"])
        self.assertLess(weights["auto"], min(weights["indexes"], weights["filters"]))
        self.assertEqual((self.folder / "auto.bank").read_bytes(),
                         (self.folder / "indexes.bank").read_bytes())

    def test_metadata_travels(self):
        self.ok("build", "-o", "x.bank", "--metadata", "source=imdb", stdin=b"a\n")
        bank = self.ok("inspect", "x.bank", "--json").json["banks"][0]
        self.assertEqual([{"name": "source", "text": "imdb"}], bank["metadata"])


class Verify(CliTest):
    def test_a_good_bank_passes(self):
        self.ok("generate", "ratings", "--factor", "0.1", "--seed", "2", "-o", "r.tsv")
        self.ok("build", "r.tsv", "--key", "tconst", "--group", "round(averageRating)", "-o", "r.bank")
        text = self.ok("verify", "r.bank", "r.tsv").text
        self.assertRegex(text, r"\nok  0 false negatives of 125,419; 10 of 10 groups keep their rate; ")

    def test_data_that_the_bank_never_saw_fail(self):
        self.ok("generate", "ratings", "--factor", "0.01", "-o", "a.tsv")
        self.ok("generate", "ratings", "--factor", "0.01", "--seed", "2", "-o", "b.tsv")
        self.ok("build", "a.tsv", "--key", "tconst", "--group", "round(averageRating)", "-o", "a.bank")
        outcome = self.bloomery("verify", "a.bank", "b.tsv")
        self.assertEqual(1, outcome.status)
        self.assertIn("FAILED", outcome.text)

    def test_a_sample_may_be_all(self):
        bank = self.make_bank()
        self.write("r.tsv", b"a\t1\nb\t2\nc\t2\n")
        self.assertEqual(self.ok("verify", bank, "r.tsv").text,
                         self.ok("verify", bank, "r.tsv", "--sample", "100%").text)
        self.fails("bloomery verify: --sample 0: must be above 0 and below 1", "verify", bank, "r.tsv",
                   "--sample", "0")

    def test_a_pipe_that_cannot_be_counted_exactly_is_said_to_be_one(self):
        bank = self.make_bank()
        records = b"a\t1\nb\t2\nc\t2\na\t3\n"
        self.write("r.tsv", records)
        self.assertNotIn("too high", self.ok("verify", bank, "r.tsv").message)
        piped = self.bloomery("verify", bank, "-", stdin=records)
        self.assertIn("may be counted too high; give a file\n", piped.message)

    def test_few_data_are_said_to_be_few(self):
        bank = self.make_bank()
        self.write("r.tsv", b"a\t1\nb\t2\nc\t2\n")
        outcome = self.ok("verify", bank, "r.tsv")
        self.assertRegex(outcome.message, '^bloomery verify: group "1", and 1 group like it: 2 negatives are too few '
                         "to prove a rate of 1 % to within 5 %; that takes ")

    def test_literal_output(self):
        bank = self.make_bank(flags=("--kind", "classic", "--seed", "7"))
        self.write("r.tsv", b"a\t1\nb\t2\nc\t2\nd\t3\n")
        outcome = self.ok("verify", bank, "r.tsv", "--format", "csv")
        self.assertEqual(
            "group,members,false_negatives,negatives,false_positives,rate,low,high,target,predicted,"
            "needed_negatives,is_ok", outcome.text.splitlines()[0])
        self.assertTrue(outcome.text.splitlines()[1].startswith("1,1,0,3,0,0,0,"), outcome.text)
        self.assertIn("1 record of 1 group that small.bank does not have", outcome.message)


class Query(CliTest):
    def test_literal_output_and_status(self):
        bank = self.make_bank(records=b"a\t1\na\t2\nb\t2\n")
        outcome = self.bloomery("query", bank, "a", "b", "nowhere")
        self.assertEqual((0, "a\t1,2\nb\t2\n", ""), (outcome.status, outcome.text, outcome.message))
        outcome = self.bloomery("query", bank, "nowhere")
        self.assertEqual((1, "", ""), (outcome.status, outcome.text, outcome.message))
        outcome = self.bloomery("query", bank, "nowhere", "--invert")
        self.assertEqual((1, "nowhere\n"), (outcome.status, outcome.text))

    def test_keys_from_standard_input_and_files(self):
        bank = self.make_bank()
        self.write("keys", "a\nnowhere\nc\n")
        for arguments in ((bank, "-"), (bank,), (bank, "-i", "-")):
            self.assertEqual("a\t1\nc\t2\n", self.ok("query", *arguments, stdin=b"a\nnowhere\nc\n").text)
        self.assertEqual("a\t1\nc\t2\n", self.ok("query", bank, "-i", "keys").text)
        self.assertEqual("c\t2\n", self.ok("query", bank, "-i", "keys", "--only", "2").text)

    def test_a_dash_among_keys_is_standard_input(self):
        bank = self.make_bank()
        self.assertEqual("c\t2\na\t1\nb\t2\n", self.ok("query", bank, "c", "-", "b", stdin=b"a\nnowhere\n").text)
        self.fails("bloomery query: -: standard input can be read only once; leave the other - out",
                   "query", bank, "-", "a", "-", stdin=b"a\n")

    def test_what_would_break_a_line_is_escaped(self):
        bank = self.make_bank(records=b'"t\tab";1\n"l\nf";2\nb\\x41;3\nc:\\d;3\n\xff;4\n',
                              flags=("--delimiter", "semicolon", "--multiline", "--quotes"))
        outcome = self.bloomery("query", bank, "t\tab", "l\nf", "b\\x41", "c:\\d", b"\xff")
        self.assertEqual(b"t\\x09ab\t1\nl\\x0af\t2\nb\\x5cx41\t3\nc:\\d\t3\n\xff\t4\n", outcome.out)
        self.assertEqual("x\\x0ay\n", self.bloomery("query", bank, "x\ny", "--invert").text)

    def test_answers_in_every_format(self):
        bank = self.make_bank(records=b"a\t1\na\t2\n")
        for form, text in (("csv", 'key,groups\na,"1,2"\n'), ("tsv", "key\tgroups\na\t1,2\n"),
                           ("md", "| key | groups |\n| --- | --- |\n| a | 1,2 |\n"), ("table", "a\t1,2\n")):
            self.assertEqual(text, self.ok("query", bank, "a", "nowhere", "--format", form).text)
        self.assertEqual("key\nnowhere\n", self.ok("query", bank, "a", "nowhere", "--invert", "--format", "csv").text)
        self.assertEqual("key,groups\n", self.bloomery("query", bank, "nowhere", "--format", "csv").text)
        self.assertEqual("", self.ok("query", bank, "a", "-q").text)
        self.ok("generate", "words", "-n", "150K", "-o", "words.txt")
        self.ok("build", "words.txt", "-o", "w.bank")
        lines = self.ok("query", "w.bank", "-i", "words.txt", "--format", "csv").text.splitlines()
        self.assertEqual((150_001, "key,groups"), (len(lines), lines[0]))
        self.assertEqual(1, lines.count("key,groups"))

    def test_kept_records_are_one_table(self):
        bank = self.make_bank()
        self.write("one.csv", "id,x\na,1\n")
        self.write("two.csv", "id,y\nb,1\n")
        self.write("three.csv", "id;x\nb;1\n")
        self.write("four.csv", "id,x\nb,1\n")
        self.write("empty.csv", "")
        flags = ("query", bank, "--key", "id", "--keep-records", "-i", "one.csv", "-i")
        start = "bloomery query: one.csv and {}: --keep-records makes one table of them, but "
        outcome = self.bloomery(*flags, "two.csv")
        self.assertEqual((2, start.format("two.csv") + "their headers differ; query one at a time\n"),
                         (outcome.status, outcome.message))
        outcome = self.bloomery(*flags, "three.csv")
        self.assertEqual((2, start.format("three.csv") + "one is comma-separated with quotes, header, 2 columns and "
                          "one semicolon-separated with quotes, header, 2 columns; query one at a time\n"),
                         (outcome.status, outcome.message))
        self.assertEqual("id,x\na,1\nb,1\n", self.ok(*flags, "four.csv", "-i", "empty.csv").text)

    def test_whole_lines_of_a_table_are_noted(self):
        self.write("t.csv", "user,x\na,1\n")
        self.ok("build", "t.csv", "--key", "user", "-o", "t.bank")
        self.assertEqual("bloomery query: t.csv: whole lines are asked; the bank was built with --key user: add it "
                         "if this is such a table\n", self.bloomery("query", "t.bank", "-i", "t.csv").message)
        self.assertEqual("", self.ok("query", "t.bank", "-i", "t.csv", "--key", "user").message)
        self.write("keys", "a\nb\n")
        self.assertEqual("", self.ok("query", "t.bank", "-i", "keys").message)

    def test_groups_are_taken_as_they_are_printed(self):
        names = (b'say "hi"', b"c:\\d", b"b\\x41", b"t\xff")
        bank = self.make_bank(records=b"".join(b"k\t" + name + b"\n" for name in names))
        shown = self.ok("inspect", "--groups", bank).text.splitlines()
        self.assertEqual(['b\\x5cx41', 'c:\\d', 'say "hi"', "t\\xff"], shown)
        for typed in shown + list(names):
            self.ok("query", bank, "k", "--only", typed)
            self.ok("inspect", bank, "--only", typed)

    def test_keys_that_begin_with_a_dash(self):
        bank = self.make_bank(records=b"-x\t1\n")
        self.assertEqual("-x\t1\n", self.ok("query", bank, "--", "-x").text)

    def test_records_are_kept_as_they_are(self):
        bank = self.make_bank()
        table = b'name;id;note\nAnn;a;"x;y"\nBob;nowhere;\xff\nCid;c;\nDan;;none\n'
        self.write("t.csv", table)
        kept = self.ok("query", bank, "-i", "t.csv", "--key", "id", "--keep-records")
        self.assertEqual(b'name;id;note\nAnn;a;"x;y"\nCid;c;\n', kept.out)
        self.assertEqual("bloomery query: 1 record without a key and 0 bad records were not asked about\n",
                         kept.message)
        rest = self.bloomery("query", bank, "-i", "t.csv", "--key", "id", "--keep-records", "--invert")
        self.assertEqual(b"name;id;note\nBob;nowhere;\xff\n", rest.out)
        counts = self.ok("query", bank, "-i", "t.csv", "--key", "id", "--count").text
        self.assertEqual("admitted  2\nrejected  1\n\ngroup  admitted\n1             1\n2             1\n",
                         counts)

    def test_groups_are_guessed(self):
        bank = self.make_bank(records=b"a\tred\nb\tgreen\n")
        self.fails("bloomery query: --only gren: no such group in small.bank; did you mean green?",
                   "query", bank, "a", "--only", "gren")
        self.fails("bloomery inspect: --only white: no such group in small.bank; bloomery inspect --groups "
                   "small.bank lists them", "inspect", bank, "--only", "white")

    def test_many_keys_keep_their_order(self):
        self.ok("generate", "words", "-n", "150K", "--length", "12", "-o", "words.txt")
        self.ok("build", "words.txt", "-o", "w.bank")
        words = (self.folder / "words.txt").read_text().split()
        for threads in ("1", "3"):
            text = self.ok("query", "w.bank", "-i", "words.txt", "-T", threads).text
            self.assertEqual([word + "\tall" for word in words], text.splitlines())


class Merge(CliTest):
    def build_two(self):
        self.ok("generate", "ratings", "--factor", "0.01", "-o", "a.tsv")
        self.ok("generate", "ratings", "--factor", "0.01", "--seed", "2", "-o", "b.tsv")
        self.ok("build", "a.tsv", "--key", "tconst", "--group", "round(averageRating)", "-o", "a.bank")
        self.ok("build", "b.tsv", "--plan-from", "a.bank", "-o", "b.bank")

    def test_merged_is_built_from_both(self):
        self.build_two()
        text = self.ok("merge", "a.bank", "b.bank", "-o", "m.bank").text
        self.assertRegex(text, r"\nwrote  m.bank   [0-9,]+ bytes   10 groups   checked\n")
        # a.tsv and b.tsv have no record in common but their headers.
        self.ok("build", "a.tsv", "b.tsv", "--plan-from", "a.bank", "-o", "both.bank")
        self.assertEqual((self.folder / "both.bank").read_bytes(), (self.folder / "m.bank").read_bytes())
        outcome = self.bloomery("inspect", "m.bank")
        self.assertEqual(1, outcome.status)
        self.assertIn("build it again for more keys", outcome.message)

    def test_the_gate_writes_nothing(self):
        self.build_two()
        outcome = self.bloomery("merge", "a.bank", "b.bank", "-o", "m.bank", "--max-fpr", "2%")
        self.assertEqual(1, outcome.status)
        self.assertIn("9 of 10 groups would pass --max-fpr 2 %; nothing was written", outcome.message)
        self.assertFalse((self.folder / "m.bank").exists())
        self.ok("merge", "a.bank", "b.bank", "-o", "m.bank", "--max-fpr", "50%")

    def test_banks_that_do_not_fit_together(self):
        self.make_bank("a.bank")
        self.make_bank("b.bank", flags=("-p", "2%"))
        outcome = self.bloomery("merge", "a.bank", "b.bank", "-o", "m.bank")
        self.assertEqual(2, outcome.status)
        self.assertIn("only filters of one spec merge", outcome.message)
        self.assertFalse((self.folder / "m.bank").exists())


class Inspect(CliTest):
    def test_literal_output(self):
        bank = SOURCE / "tests" / "golden" / "banks" / "classic.bank"
        (self.folder / "g.bank").write_bytes(bank.read_bytes())
        lines = self.ok("inspect", "g.bank", "--verify").text.splitlines()
        self.assertEqual("bank      g.bank", lines[0])
        self.assertIn("checked   header, every block checksum, digest, ones counted again: right", lines)

    def test_damage_and_other_files_are_named(self):
        bank = self.make_bank()
        damaged = bytearray((self.folder / bank).read_bytes())
        damaged[-1] ^= 1
        self.write("damaged.bank", bytes(damaged))
        self.write("x.gz", gzip.compress(b"text"))
        for name, words in (("damaged.bank", "damaged"), ("x.gz", "not a bank but gzip data")):
            outcome = self.bloomery("inspect", name)
            self.assertEqual(2, outcome.status)
            self.assertIn(words, outcome.message)
            self.assertTrue(outcome.message.startswith(f"bloomery inspect: {name}: "), outcome.message)


class Doctor(CliTest):
    def test_this_machine_is_fit(self):
        checks = {row["check"]: row for row in self.ok("doctor", "--json").json["checks"]}
        for name in ("program", "threads", "memory", "kernels", "folder", "hadoop", "spark", "redis"):
            self.assertIn(name, checks)
        self.assertEqual("ok", checks["kernels"]["state"])

    def test_version_says_what_it_is_made_of(self):
        document = self.ok("--version", "--json").json
        self.assertEqual(document, self.ok("version", "--json").json)
        self.assertRegex(document["version"], r"^[0-9]+\.[0-9]+\.[0-9]+$")
        self.assertIn(document["kernel"], document["kernels"])
