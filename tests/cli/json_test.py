"""What --json prints is what docs/schema says, and the other formats hold the same numbers."""

import csv
import io
import json
import re

from cli import SOURCE, CliTest
from schema import problems


class Schemas(CliTest):
    def check(self, command, *arguments, status=0, stdin=b""):
        schema = json.loads((SOURCE / "docs" / "schema" / f"{command}.json").read_text())
        outcome = self.bloomery(*arguments, "--json", stdin=stdin)
        self.assertEqual(status, outcome.status, outcome.message)
        lines = [json.loads(line) for line in outcome.out.splitlines()]
        self.assertTrue(lines, arguments)
        for line in lines:
            self.assertEqual([], problems(line, schema), arguments)
        return lines

    def test_every_command_keeps_its_schema(self):
        self.ok("generate", "ratings", "--factor", "0.002", "-o", "r.tsv")
        recipe = ("r.tsv", "--key", "tconst", "--group", "round(averageRating)")
        self.check("plan", "plan", "--keys", "1.6M", "-p", "1-in-1000")
        self.check("plan", "plan", *recipe, "-o", "r.plan")
        self.check("build", "build", *recipe, "-o", "r.bank")
        self.check("build", "build", *recipe, "-o", "s.bank", "--strategy", "auto", "--tasks", "3")
        self.check("build", "build", *recipe, "-o", "d.bank", "--dry-run")
        self.check("build", "build", "r.tsv", "-o", "p.bank", "--plan-from", "r.plan", "--dry-run")
        self.check("verify", "verify", "r.bank", "r.tsv")
        self.check("merge", "merge", "r.bank", "s.bank", "-o", "m.bank")
        self.check("inspect", "inspect", "r.bank", "m.bank")
        self.check("build", "build", *recipe, "-o", "h.bank", "--dialect", "hadoop")
        self.check("export", "export", "h.bank", "-o", "filters")
        self.check("import", "import", "filters", "-o", "i.bank")
        self.check("inspect", "inspect", "i.bank", "filters/000001.bloom")
        self.check("bench", "bench", "--keys", "1K", "--rounds", "1")
        self.write("p.toml", 'input = "r.tsv"\nkey = "tconst"\n[[sweep]]\nvary.fpr = [0.1, 0.01]\n')
        self.check("study", "study", "p.toml", "-o", "p.jsonl")
        self.check("report", "report", "p.jsonl")
        self.check("generate-key", "generate", "key", "-o", "key")
        for command in ("formats", "doctor", "version", "help", "man"):
            self.check(command, command)
        self.check("completions", "completions", "zsh")
        self.check("generate-ratings", "generate", "ratings", "--factor", "0.00001")
        self.check("generate-words", "generate", "words", "-n", "5")

    def test_query_keeps_its_schema(self):
        bank = self.make_bank()
        lines = self.check("query", "query", bank, "a", "nothing like it")
        self.assertEqual({"key": "a", "groups": ["1"], "n_groups": 2}, lines[0])
        self.check("query", "query", bank, "nothing like it", status=1)
        self.check("query", "query", bank, "--count", "a", "b")
        self.check("query", "query", bank, "--count", status=1)

    def test_a_refused_merge_keeps_its_schema(self):
        bank = self.make_bank()
        lines = self.check("merge", "merge", bank, "-o", "m.bank", "--max-fpr", "1e-30", status=1)
        self.assertIsNone(lines[0]["output"])
        self.assertFalse((self.folder / "m.bank").exists())

    def test_bad_records_keep_their_schema(self):
        [build] = self.check("build", "build", "-o", "x.bank", "--key", "1", "--group", "round(2)",
                             "--lenient", stdin=b"a\t1\nb\tx\nc\n\n\\N\t1\n")
        self.assertEqual({"read": 5, "used": 1, "rejected": 2, "missing": 1, "blank": 1, "header": 0},
                         build["records"])
        self.assertEqual({"field_count", "group_not_number"},
                         {entry["category"] for entry in build["rejected"]})

    def test_bytes_that_are_not_utf8_come_in_base64(self):
        bank = self.make_bank(records=b"k\xff\tg\xfe\n")
        [document] = self.check("inspect", "inspect", bank)
        self.assertEqual("Z/4=", document["banks"][0]["groups"][0]["group_b64"])
        [line] = self.check("query", "query", bank, stdin=b"k\xff\n")
        self.assertEqual({"key_b64": "a/8=", "groups": [], "groups_b64": ["Z/4="], "n_groups": 1}, line)

    def test_the_validator_finds_what_is_wrong(self):
        schema = json.loads((SOURCE / "docs" / "schema" / "formats.json").read_text())
        good = self.ok("formats", "--json").json
        self.assertEqual([], problems(good, schema))
        for member, value in (("read", 1), ("note", None), ("extra", "x")):
            bad = json.loads(json.dumps(good))
            bad["formats"][0][member] = value
            self.assertNotEqual([], problems(bad, schema), member)
        del good["formats"][0]["name"]
        self.assertNotEqual([], problems(good, schema))


class Formats(CliTest):
    def test_all_formats_hold_the_same_rows(self):
        command = ("plan", "--keys", "1600000", "-p", "0.001")
        rows = self.ok(*command, "--format", "json").json["filters"]
        comma = list(csv.DictReader(io.StringIO(self.ok(*command, "--format", "csv").text)))
        tab = list(csv.DictReader(io.StringIO(self.ok(*command, "--format", "tsv").text), delimiter="\t"))
        self.assertEqual(comma, tab)
        self.assertEqual([str(row["bits"]) for row in rows], [row["bits"] for row in comma])
        self.assertEqual(["23004141", "25159680", "23004141"], [row["bits"] for row in comma])
        markdown = self.ok(*command, "--format", "md").text.splitlines()
        self.assertTrue(all(line.startswith("| ") and line.endswith(" |") for line in markdown))
        self.assertEqual(2 + len(rows), len(markdown))
        table = self.ok(*command).text
        self.assertEqual(3, len(re.findall(r"^(?:classic|blocked|counting) +1,600,000 ", table, re.M)))

    def test_csv_of_hostile_groups_reads_back(self):
        bank = self.make_bank(records=b'a\tx,"y\nb\tz|w\n')
        rows = list(csv.DictReader(io.StringIO(self.ok("inspect", bank, "--format", "csv").text)))
        self.assertEqual(['x,"y', "z|w"], [row["group"] for row in rows])
        self.assertIn("z\\|w", self.ok("inspect", bank, "--format", "md").text)
