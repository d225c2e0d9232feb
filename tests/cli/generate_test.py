"""Generated data have exactly the shape they promise."""

import collections
import hashlib
import json
import re
import stat

from cli import CliTest

COUNTS = [2546, 6623, 17937, 43912, 103292, 220871, 373321, 355416, 113980, 16286]


def group_of(rating):
    whole, tenth = rating.split(".")
    return int(whole) + (int(tenth) >= 5)


class Ratings(CliTest):
    def test_the_whole_table_has_the_counts_of_the_report(self):
        lines = self.ok("generate", "ratings").text.splitlines()
        self.assertEqual("tconst\taverageRating\tnumVotes", lines[0])
        self.assertEqual(1_254_184, len(lines) - 1)
        ids, groups, swaps, last = set(), collections.Counter(), 0, None
        record = re.compile(r"(tt[0-9]{7,})\t(10\.0|[1-9]\.[0-9])\t([1-9][0-9]*)")
        for line in lines[1:]:
            name, rating, _ = record.fullmatch(line).groups()
            ids.add(name)
            group = group_of(rating)
            groups[group] += 1
            swaps, last = swaps + (group != last), group
        self.assertEqual(1_254_184, len(ids))
        self.assertEqual(COUNTS, [groups[i] for i in range(1, 11)])
        # In mixed order: a record's group differs from the one before it as often as by chance.
        chance = 1 - sum((count / 1_254_184) ** 2 for count in COUNTS)
        self.assertAlmostEqual(chance, swaps / 1_254_184, delta=0.01)

    def test_data_never_change(self):
        digest = hashlib.sha256(self.ok("generate", "ratings", "--factor", "0.01").out).hexdigest()
        self.assertEqual("2f13658fb7a7fb92fbe45730e6d0a3fb747b48a70338b0e4776d0cad620747bc", digest)
        digest = hashlib.sha256(self.ok("generate", "words", "-n", "1000").out).hexdigest()
        self.assertEqual("083c2d1a607dde585ad6d44e2a0d956ac88d5a5e84b3ff8873fc72b636217a38", digest)

    def test_factor_rounds_every_group_half_up(self):
        lines = self.ok("generate", "ratings", "--factor", "0.001").text.splitlines()[1:]
        groups = collections.Counter(group_of(line.split("\t")[1]) for line in lines)
        self.assertEqual([(2 * count + 1000) // 2000 for count in COUNTS],
                         [groups[i] for i in range(1, 11)])

    def test_seeds_give_other_data_and_forms_the_same(self):
        small = ("generate", "ratings", "--factor", "0.0005")
        self.assertNotEqual(self.ok(*small).out, self.ok(*small, "--seed", "2").out)
        tab = [line.split("\t") for line in self.ok(*small).text.splitlines()]
        comma = [line.split(",") for line in self.ok(*small, "--format", "csv").text.splitlines()]
        self.assertEqual(tab, comma)
        objects = [json.loads(line) for line in self.ok(*small, "--json").text.splitlines()]
        self.assertEqual([tuple(row) for row in tab[1:]],
                         [(o["tconst"], f"{o['averageRating']:.1f}", str(o["numVotes"])) for o in objects])
        self.assertEqual(self.ok(*small).out, self.ok(*small, "--format", "tsv").out)

    def test_files_are_written_whole_and_never_replaced(self):
        outcome = self.ok("generate", "ratings", "--factor", "0.001", "-o", "r.tsv")
        self.assertEqual(b"", outcome.out)
        self.assertEqual(self.ok("generate", "ratings", "--factor", "0.001").out,
                         (self.folder / "r.tsv").read_bytes())
        self.fails("bloomery generate words: r.tsv: exists; -f replaces it, or name another file",
                   "generate", "words", "-o", "r.tsv")
        self.ok("generate", "words", "-o", "r.tsv", "-f", "-n", "2")
        self.assertEqual(2, len((self.folder / "r.tsv").read_text().splitlines()))


class Words(CliTest):
    def test_words_can_be_pronounced_and_differ(self):
        for length, count in ((1, 20), (2, 100), (3, 2000), (17, 5000), (18, 5000), (30, 20000), (61, 500)):
            words = self.ok("generate", "words", "-n", str(count), "--length", str(length)).text.split()
            self.assertEqual(count, len(set(words)))
            sound = re.compile(r"([bcdfghjklmnpqrstvwxz][aeiou])*[bcdfghjklmnpqrstvwxz]?")
            self.assertTrue(all(len(word) == length and sound.fullmatch(word) for word in words))


class Keys(CliTest):
    def test_a_key_is_for_its_owner_alone_and_never_replaced(self):
        self.ok("generate", "key", "-o", "secret")
        path = self.folder / "secret"
        self.assertEqual(0o600, stat.S_IMODE(path.stat().st_mode))
        self.assertRegex(path.read_text(), r"^[0-9a-f]{32}\n$")
        self.fails("bloomery generate key: secret: exists; remove it first if nothing needs its key",
                   "generate", "key", "-o", "secret")

    def test_the_secret_is_needed_and_shows_nowhere(self):
        self.ok("generate", "key", "-o", "secret")
        self.ok("generate", "key", "-o", "other")
        secret = (self.folder / "secret").read_text().strip()
        outcome = self.ok("build", "-o", "s.bank", "--hash", "sip", "--key-file", "secret", "--json",
                          stdin=b"a\nb\n")
        bank = (self.folder / "s.bank").read_bytes()
        for text in (outcome.out, outcome.err, bank, self.ok("inspect", "s.bank", "--json").out):
            self.assertNotIn(secret.encode(), text)
            self.assertNotIn(bytes.fromhex(secret), text)
        self.assertEqual("a\tall\n", self.ok("query", "s.bank", "a", "--key-file", "secret").text)
        for key in ([], ["--key-file", "other"]):
            outcome = self.bloomery("query", "s.bank", "a", *key)
            self.assertEqual(2, outcome.status)
            self.assertIn("secret", outcome.message)

    def test_a_key_file_that_others_may_read_is_refused(self):
        self.write("open", "0123456789abcdef0123456789abcdef\n").chmod(0o644)
        self.fails("bloomery build: open: others may read this secret key (mode 0644); run chmod 600 open",
                   "build", "-o", "x.bank", "--hash", "sip", "--key-file", "open", stdin=b"a\n")
        self.write("short", "0123\n").chmod(0o600)
        self.fails("bloomery build: short: not a secret key of 16 bytes or 32 hexadecimal digits; bloomery "
                   "generate key makes one",
                   "build", "-o", "x.bank", "--hash", "sip", "--key-file", "short", stdin=b"a\n")

    def test_raw_and_hexadecimal_keys_are_the_same(self):
        self.write("hex", bytes(range(16)).hex() + "\n").chmod(0o600)
        self.write("raw", bytes(range(16))).chmod(0o600)
        for name in ("hex", "raw"):
            self.ok("build", "-o", name + ".bank", "--hash", "sip", "--key-file", name, stdin=b"a\n")
        self.assertEqual((self.folder / "hex.bank").read_bytes(), (self.folder / "raw.bank").read_bytes())
