"""Dialects on the command line: built, exported, asked as they are, merged, imported, refused."""

import json

from cli import CliTest


class Dialects(CliTest):
    def write(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def build(self, dialect, bank="x.bank", data=b"alice\nbob\n", *flags):
        self.ok("build", self.write("in.txt", data), "--dialect", dialect, "-o", bank, "-q", *flags)
        return bank

    def test_every_dialect_goes_out_and_comes_back_to_the_byte(self):
        for dialect in ("hadoop", "spark", "spark-v1"):
            self.build(dialect)
            self.ok("export", "x.bank", "-o", "x.bloom", "-q")
            self.assertEqual("alice\tall\n", self.ok("query", "x.bloom", "alice", "zoe").text)
            self.ok("import", "x.bloom", "-o", "y.bank", "-q")
            self.assertEqual("alice\tx\n", self.ok("query", "y.bank", "alice", "zoe").text)
            self.ok("export", "y.bank", "-o", "y.bloom", "-q")
            self.assertEqual((self.folder / "x.bloom").read_bytes(), (self.folder / "y.bloom").read_bytes())
            for file in self.folder.iterdir():
                file.unlink()

    def test_ratings_of_the_course_project(self):
        for dialect, first in (("pisa-java", '{"P":0.01,"bitArray":"'), ("pisa-python", '{"rating": 1, "m": ')):
            data = self.write("in.tsv", b"tt1\t1.2\ntt2\t1.4\ntt3\t9.5\n")
            self.ok("build", data, "--key", "1", "--group", "round(2)", "--dialect", dialect, "-o", "x.bank", "-q")
            self.ok("export", "x.bank", "-o", "x.json", "-q")
            lines = (self.folder / "x.json").read_text().splitlines()
            self.assertEqual([1, 10], [json.loads(line)["rating"] for line in lines])
            self.assertTrue(lines[0].startswith(first), lines[0])
            found = [line.split("\t") for line in self.ok("query", "x.json", "tt2", "tt3").text.splitlines()]
            self.assertEqual(["tt2", "tt3"], [key for key, _ in found])
            self.assertIn("10", found[1][1].split(","))
            groups = self.bloomery("verify", "x.json", data, "--key", "1", "--group", "round(2)", "--json").json["groups"]
            self.assertEqual([0, 0], [group["false_negatives"] for group in groups])
            for name in ("x.bank", "x.json"):
                (self.folder / name).unlink()

    def test_longs(self):
        self.build("spark", "x.bank", b"42\n-7\n", "--key-type", "i64")
        self.assertEqual("42\n", self.ok("query", "x.bank", "42", "43").text.split("\t")[0] + "\n")
        self.ok("export", "x.bank", "-o", "x.bloom", "-q")
        self.assertEqual("-7\tall\n", self.ok("query", "x.bloom", "--key-type", "i64", "--", "-7", "7").text)
        self.assertEqual(1, self.bloomery("query", "x.bloom", "42").status)

    def test_containers_are_inspected_and_merge_in_their_own_container(self):
        self.ok("plan", self.write("in.txt", b"a\nb\nc\nd\n"), "--dialect", "hadoop", "-o", "p.json", "-q")
        for name, data in (("one", b"a\nb\n"), ("two", b"c\nd\n"), ("all", b"a\nb\nc\nd\n")):
            self.ok("build", self.write("in.txt", data), "--plan-from", "p.json", "-o", f"{name}.bank", "-q")
            self.ok("export", f"{name}.bank", "-o", f"{name}.bloom", "-q")
        self.ok("merge", "one.bloom", "two.bloom", "-o", "merged.bloom", "-q")
        self.assertEqual((self.folder / "all.bloom").read_bytes(), (self.folder / "merged.bloom").read_bytes())
        [bank] = self.ok("inspect", "merged.bloom", "--json").json["banks"]
        [group] = bank["groups"]
        self.assertEqual(("hadoop", "hadoop-murmur", "classic"), (group["dialect"], group["hash"], group["kind"]))
        self.assertIn("a Hadoop BloomFilter", self.ok("inspect", "merged.bloom").text)

    def test_several_groups_make_a_folder(self):
        self.ok("build", self.write("in.tsv", b"a\tx/y\nb\t..\n"), "--key", "1", "--group", "2", "--dialect",
                "hadoop", "-o", "x.bank", "-q")
        report = self.ok("export", "x.bank", "-o", "filters", "--json").json
        self.assertEqual(["..", "x/y"], [group["group"] for group in report["groups"]])
        self.assertEqual(["000001.bloom", "000002.bloom", "groups.json"],
                         sorted(file.name for file in (self.folder / "filters").iterdir()))
        self.ok("import", "filters", "-o", "y.bank", "-q")
        self.assertEqual("a\tx/y\n", self.ok("query", "y.bank", "a").text)
        self.fails("bloomery export: filters: is there already, and 2 groups need a new folder; give another path",
                   "export", "x.bank", "-o", "filters", "-f")

    def test_what_the_other_system_cannot_hold_is_refused(self):
        self.write("in.txt", b"a\n")
        self.fails("bloomery plan: group \"all\": bits: 9585058378 are more than the 2147483647 that Hadoop's "
                   "BloomFilter can hold; use more groups or a higher fpr",
                   "plan", "--keys", "1G", "--dialect", "hadoop")
        self.fails("bloomery build: --dialect hadoop: kind: Hadoop's BloomFilter has classic filters only, not blocked",
                   "build", "in.txt", "--dialect", "hadoop", "--kind", "blocked", "-o", "x.bank")
        self.fails("bloomery build: --dialect hadoop: seed: Hadoop's BloomFilter has none, but 3 was given; leave it out",
                   "build", "in.txt", "--dialect", "hadoop", "--seed", "3", "-o", "x.bank")
        self.fails("bloomery build: --dialect bloomery: hash: hadoop-murmur belongs to the dialect hadoop",
                   "build", "in.txt", "--hash", "hadoop-murmur", "-o", "x.bank")
        self.fails("bloomery build: hadoop has no single hash to keep and needs the input twice, but a pipe can be "
                   "read only once; give a file, or --plan-from",
                   "build", "-", "--dialect", "hadoop", "-o", "x.bank", stdin=b"a\n")

    def test_a_filter_cannot_change_its_dialect(self):
        self.build("hadoop")
        self.fails("bloomery export: x.bank: group \"all\" was built with --dialect hadoop, and a filter cannot "
                   "change its dialect; build it with --dialect spark",
                   "export", "x.bank", "--dialect", "spark", "-o", "x.bloom")
        self.build("bloomery", "own.bank")
        self.fails("bloomery export: x.bloom: group \"all\": has bloomery's own hash and positions, which no other "
                   "system can ask; build it with --dialect",
                   "export", "own.bank", "-o", "x.bloom")

    def test_damage_is_named_with_its_place(self):
        self.write("x.bloom", bytes.fromhex("ffffffff00000004010000006500500008"))
        self.fails("bloomery query: x.bloom: damaged at byte 17: 4 bytes of bits where 101 bits take 13",
                   "query", "x.bloom", "a")
