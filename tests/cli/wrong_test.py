"""Wrong invocations: each message names the flag, the value and a next step."""

import base64
import gzip
import json

from cli import CliTest

# A value that each sort of flag refuses. Those that take any text are listed apart.
WRONG = {
    "RATE": "1.5", "SIZE": "64Q", "N": "many", "K": "65", "M": "0.5", "L": "0", "X": "-1", "KIND": "round",
    "HASH": "md5", "LIST": "1,,2", "TYPE": "float", "FORMAT": "xml", "BYTE": "ab", "EXPR": "round(",
    "SHARE": "2", "NAME": "both", "NAME=TEXT": "alone", "WHEN": "now", "ENGINE": "abacus",
    "NAME=VALUE": "alone",
}
ANY_TEXT = {"COLUMN", "A..B", "FILE", "FOLDER", "GROUP", "PATHS", "TABLE", "TEXT", "URL"}
ARGUMENTS = {"build": ["-o", "x.bank"], "merge": ["a.bank", "-o", "x.bank"], "inspect": ["a.bank"],
             "verify": ["a.bank"], "query": ["a.bank", "key"], "generate key": ["-o", "key"],
             "completions": ["bash"], "export": ["a.bank", "-o", "x"],
             "import": ["a.bloom", "-o", "x.bank"]}


class WrongFlags(CliTest):
    def commands(self):
        return self.ok("help", "--json").json["commands"]

    def invoke(self, command, *flags):
        arguments = ARGUMENTS.get(command["name"], [])
        return self.bloomery(*command["name"].split(), *arguments, *flags)

    def test_every_flag_of_every_command_refuses_a_wrong_value(self):
        tried = 0
        for command in self.commands():
            for flag in command["flags"]:
                name, value = flag["names"][-1], flag["value"]
                if value == "" or value in ANY_TEXT:
                    continue
                outcome = self.invoke(command, f"{name}={WRONG[value]}")
                self.check(command, outcome, f"{name} {WRONG[value]}: ")
                tried += 1
        self.assertGreater(tried, 60)

    def test_every_flag_with_a_value_says_so_when_there_is_none(self):
        for command in self.commands():
            for flag in command["flags"]:
                if flag["value"]:
                    name = flag["names"][-1]
                    outcome = self.invoke(command, name)
                    self.check(command, outcome, f"{name}: needs a value; write {name} ")

    def test_every_flag_refuses_an_empty_value(self):
        for command in self.commands():
            for flag in command["flags"]:
                if flag["value"]:
                    name = flag["names"][-1]
                    for typed in ((name, ""), (f"{name}=",)):
                        self.check(command, self.invoke(command, *typed), f"{name}: needs a value")

    def test_no_flag_is_taken_for_the_value_of_another(self):
        for command in self.commands():
            for flag in command["flags"]:
                if flag["value"]:
                    name = flag["names"][-1]
                    self.check(command, self.invoke(command, name, "--json"),
                               f"{name}: needs a value, and --json is a flag; write {name} ")
        bank = self.make_bank(records=b"a\t--json\n")
        self.assertEqual("a\t--json\n", self.ok("query", bank, "a", "--only=--json").text)

    def test_every_flag_with_one_value_refuses_a_second(self):
        for command in self.commands():
            for flag in command["flags"]:
                name, again = flag["names"][-1], "may be given again" in flag["help"]
                if flag["value"] and not again:
                    outcome = self.invoke(command, name, "1", name, "2")
                    self.check(command, outcome, f"{name} ")
                    self.assertIn(" is given, too; leave one of them out\n", outcome.message)
        self.ok("plan", "-n", "5", "-p", "1%", "-p", "1%")
        self.fails("bloomery build: --metadata a=2: this name has the text \"1\" already; leave one of them "
                   "out", "build", "-o", "x.bank", "--metadata", "a=1", "--metadata", "a=2", stdin=b"a\n")

    def test_every_switch_refuses_a_value(self):
        for command in self.commands():
            for flag in command["flags"]:
                if not flag["value"]:
                    name = flag["names"][-1]
                    outcome = self.invoke(command, f"{name}=maybe")
                    self.check(command, outcome, f"{name}: takes no value; write {name} alone")

    def test_every_command_guesses_a_flag(self):
        for command in self.commands():
            outcome = self.invoke(command, "--jsno")
            self.check(command, outcome, "--jsno: no such flag; did you mean --json?")
            outcome = self.invoke(command, "--qwertyuiop")
            self.check(command, outcome, "--qwertyuiop: no such flag; bloomery ")

    def check(self, command, outcome, start):
        message = outcome.message
        self.assertEqual(2, outcome.status, message)
        self.assertTrue(message.startswith(f"bloomery {command['name']}: {start}"), message)
        self.assertEqual(1, message.count("\n"), message)
        self.assertNotIn("terminate", message)
        self.assertEqual(b"", outcome.out)


class WrongCommands(CliTest):
    def test_no_command_shows_them_all(self):
        outcome = self.bloomery()
        self.assertEqual((2, b""), (outcome.status, outcome.out))
        self.assertIn("Usage: bloomery COMMAND", outcome.message)

    def test_messages(self):
        self.fails("bloomery: biuld: no such command; did you mean build?", "biuld")
        self.fails("bloomery: frobnicate: no such command; bloomery help lists them", "frobnicate")
        self.fails("bloomery: generate: say what: ratings, words or key", "generate")
        self.fails("bloomery: generate word: must be ratings, words or key; did you mean words?",
                   "generate", "word")
        self.fails("bloomery man: generate: say what: ratings, words or key", "man", "generate")
        self.fails("bloomery generate key: -f: no such flag; bloomery generate key --help lists them, and -- goes "
                   "before a name that begins with a dash", "generate", "key", "-f", "-o", "k")
        self.fails("bloomery help: biuld: no such command; did you mean build?", "help", "biuld")
        self.fails("bloomery completions: tcsh: must be bash, zsh or fish", "completions", "tcsh")
        self.fails("bloomery inspect: BANK: missing; usage: bloomery inspect BANK... [FLAG...]",
                   "inspect")
        self.fails("bloomery formats: x: one argument too many; usage: bloomery formats [FLAG...]",
                   "formats", "x")
        self.fails("bloomery merge: --output: missing; write -o FILE", "merge", "a.bank")
        self.fails("bloomery inspect: a.bank: No such file or directory", "inspect", "a.bank")

    def test_outputs_that_cannot_be(self):
        (self.folder / "sub").mkdir()
        self.write("r", "a\n")
        self.fails("bloomery build: sub: is a folder; name a file in it", "build", "r", "-o", "sub")
        self.fails("bloomery build: /dev/null: is not a regular file, so it cannot be replaced; name a file",
                   "build", "r", "-o", "/dev/null")
        for command in (("build", "r"), ("plan", "r"), ("generate", "words")):
            self.fails(f"bloomery {' '.join(command).removesuffix(' r')}: no/where/x: there is no folder no/where; "
                       "make it first: mkdir -p no/where", *command, "-o", "no/where/x")

    def test_numbers_and_sizes(self):
        self.assertEqual(self.ok("plan", "-n", "1G", "--json").json, self.ok("plan", "-n", "1e9", "--json").json)
        self.assertEqual(self.ok("plan", "-n", "1.5e6").text, self.ok("plan", "-n", "1500K").text)
        for number in ("99999999999999999999", "1e20", "1e999"):
            self.fails(f"bloomery plan: --keys {number}: is too large; must be below 2^64", "plan", "-n", number)
        for number in ("1e", "e9", "1e-3", "1.5e0", "1ee3"):
            self.fails(f"bloomery plan: --keys {number}: must be a whole number, such as 1000, 50K or 1.6M",
                       "plan", "-n", number)
        bank = self.make_bank()
        for size in ("0", "1", "1MB"):
            for command in (("build", "-o", "x.bank"), ("verify", bank), ("query", bank, "a")):
                self.fails(f"bloomery {command[0]}: --memory {size}: must be at least 1MiB", *command, "-M", size)

    def test_a_secret_key_that_is_missing(self):
        self.ok("generate", "key", "-o", "k")
        self.ok("generate", "key", "-o", "other")
        self.ok("build", "-o", "s.bank", "--hash", "sip", "--key-file", "k", stdin=b"a\n")
        start = 'bloomery query: s.bank: group "all": was built with '
        self.fails(start + "a secret; give it with --key-file FILE", "query", "s.bank", "a")
        self.fails(start + "another secret; give the one it was built with by --key-file FILE",
                   "query", "s.bank", "a", "--key-file", "other")

    def test_rates_and_kinds(self):
        self.fails("bloomery plan: --fpr 1.5: must be above 0 and below 1",
                   "plan", "-n", "9", "-p", "1.5")
        self.fails("bloomery plan: --fpr 0%: must be above 0 and below 1",
                   "plan", "-n", "9", "-p", "0%")
        self.fails("bloomery plan: --fpr 1-in-0: must be a rate, such as 0.01, 1% or 1-in-100",
                   "plan", "-n", "9", "-p", "1-in-0")
        self.fails("bloomery plan: --kind blcoked: must be blocked, classic or counting; "
                   "did you mean blocked?", "plan", "-n", "9", "--kind", "blcoked")
        self.fails("bloomery plan: hashes 5: a blocked filter has 8 or 16; use the classic kind for any "
                   "number from 1 to 64", "plan", "-n", "9", "--hashes", "5", "--kind", "blocked")
        self.fails("bloomery plan: --keys 1.5: must be a whole number, such as 1000, 50K or 1.6M",
                   "plan", "--keys", "1.5")

    def test_results_never_replace_data(self):
        bank = self.make_bank()
        self.write("in.tsv", "a\t1\n")
        (self.folder / "link.tsv").symlink_to("in.tsv")
        for output in ("in.tsv", "./in.tsv", "link.tsv"):
            message = f"--output {output}: is an input, too; name another file"
            self.fails(f"bloomery build: {message}", "build", "in.tsv", "-o", output, "-f")
            self.fails(f"bloomery plan: {message}", "plan", "in.tsv", "-o", output, "-f")
        self.fails("bloomery verify: --rejects in.tsv: is an input, too; name another file",
                   "verify", bank, "in.tsv", "--rejects", "in.tsv", "-f")
        self.fails("bloomery build: --rejects ./x: is the --output, too; name another file",
                   "build", "in.tsv", "-o", "x", "--rejects", "./x", "-f")

    def test_flags_that_do_not_go_together(self):
        self.fails("bloomery plan: --bytes 1000: two of --keys, --fpr and --bytes (or --bits) give "
                   "the third; leave one out", "plan", "-n", "9", "-p", "1%", "--bytes", "1KB")
        self.fails("bloomery plan: --keys 9: a FILE has its own number of keys; leave one of them out",
                   "plan", "-n", "9", "x.tsv")
        self.fails("bloomery build: --bytes 1000: the size gives the rate; leave --fpr out",
                   "build", "-o", "x.bank", "-p", "1%", "--bytes", "1KB", stdin=b"a\n")
        self.fails("bloomery build: --bits 900: the size gives the rate; leave --fpr out",
                   "build", "-o", "x.bank", "-p", "1%", "--bits", "900", stdin=b"a\n")
        self.fails("bloomery build: --bits 900: --bytes says how large a filter is; leave one out",
                   "build", "-o", "x.bank", "--bits", "900", "--bytes", "1KB", stdin=b"a\n")
        self.fails("bloomery build: --hash sip: needs --key-file FILE; bloomery generate key -o FILE "
                   "makes one", "build", "-o", "x.bank", "--hash", "sip", stdin=b"a\n")
        self.fails("bloomery build: --key-file k: only --hash sip has a secret key; add it or leave "
                   "this out", "build", "-o", "x.bank", "--key-file", "k", stdin=b"a\n")
        self.fails("bloomery build: --seeds: only the classic kind takes one hash a position; add "
                   "--kind classic", "build", "-o", "x.bank", "--seeds", "1,2", stdin=b"a\n")
        self.fails("bloomery build: --hashes 3: --seeds has 2, one for each hash; leave --hashes out",
                   "build", "-o", "x.bank", "--seeds", "1,2", "-k", "3", "--kind", "classic",
                   stdin=b"a\n")
        self.fails("bloomery build: --strict and --lenient: they exclude each other; leave one out",
                   "build", "-o", "x.bank", "--strict", "--lenient", stdin=b"a\n")
        self.fails("bloomery build: --header and --no-header: they exclude each other; leave one out",
                   "build", "-o", "x.bank", "--no-header", "--header", stdin=b"a\n")
        self.fails("bloomery build: --quotes and --no-quotes: they exclude each other; leave one out",
                   "build", "-o", "x.bank", "--quotes", "--no-quotes", stdin=b"a\n")
        self.fails("bloomery build: --output -: a bank is not written front to back; name a file",
                   "build", "-o", "-", stdin=b"a\n")
        bank = self.make_bank()
        for flag in ("--invert", "--keep-records"):
            self.fails(f"bloomery query: {flag} and --count: they exclude each other; leave one out",
                       "query", bank, "a", "--count", flag)
        for form in (("--json",), ("--format", "csv")):
            self.fails("bloomery query: --keep-records: records pass as they are; leave --json and --format out",
                       "query", bank, "--keep-records", *form, stdin=b"a\n")
        for flag, value in (("--fpr", "2%"), ("--bytes", "1K"), ("--bits", "9"), ("--kind", "classic"),
                            ("--hashes", "3"), ("--hash", "xxh3"), ("--seed", "7"), ("--seeds", "1,2")):
            self.fails(f"bloomery build: {flag}: --plan-from {bank} says what the filters are; leave one of "
                       "them out", "build", "-o", "x.bank", "--plan-from", bank, flag, value, stdin=b"a\t1\n")
        self.fails(f"bloomery build: --distinct: --plan-from {bank} says what the filters are; leave one of "
                   "them out", "build", "-o", "x.bank", "--plan-from", bank, "--distinct", stdin=b"a\t1\n")
        self.fails("bloomery generate ratings: --factor 0: gives no record; take more",
                   "generate", "ratings", "--factor", "0")
        self.fails("bloomery generate words: --count 101: there are only 100 words of 2 letters; ask "
                   "for fewer or longer ones", "generate", "words", "-n", "101", "--length", "2")

    def test_empty_names_are_no_files(self):
        for command, argument in (("build", "FILE"), ("plan", "FILE"), ("inspect", "BANK"), ("merge", "BANK"),
                                  ("import", "FILE"), ("help", "COMMAND"), ("completions", "SHELL")):
            output = ["-o", "x"] if command in ("build", "merge", "import") else []
            outcome = self.bloomery(command, "", *output)
            self.assertEqual(2, outcome.status)
            self.assertTrue(outcome.message.startswith(
                f"bloomery {command}: {argument}: is empty; usage: bloomery {command} "), outcome.message)


class WrongFiles(CliTest):
    """Files that are not what the command takes: named, with the next step."""

    def build(self, content, message, *flags):
        self.write("in", content)
        self.fails(f"bloomery build: {message}", "build", "in", "-o", "x.bank", *flags)

    def test_files_that_are_no_records(self):
        for start, what in ((b"\x89PNG\r\n\x1a\n", "a PNG picture"), (b"%PDF-1.7\n", "a PDF document"),
                            (b"SQLite format 3\0\x10", "an SQLite database"), (b"PK\x03\x04", "a zip or jar archive"),
                            (b"\xfd7zXZ\0", "xz data"), (b"BZh91AY&SY", "bzip2 data"), (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
                            (b"ARROW1\0\0", "an Arrow file"), ("a\nb\n".encode("utf-16"), "UTF-16 text")):
            self.write("in", start)
            outcome = self.bloomery("build", "in", "-o", "x.bank")
            self.assertEqual(2, outcome.status)
            self.assertTrue(outcome.message.startswith(
                f"bloomery build: in: is {what}, which this command does not read; "), outcome.message)

    def test_words_that_begin_like_files(self):
        for word in (b"PARENT", b"PAR1", b"ORCHID", b"ARROW1", b"FEA1", b"REDIS0", b"BZh9"):
            self.ok("build", "-f", "-o", "x.bank", stdin=word + b"\nother\n")

    def test_json_that_is_no_lines(self):
        for content, what, call in (
                (b'[\n  {"a": 1},\n  {"a": 2}\n]\n', "a JSON array", "'.[]'"),
                (b'[{"a": 1}, {"a": 2}]', "a JSON array", "'.[]'"),
                (b'{\n  "a": 1\n}\n', "a JSON object on several lines", ".")):
            self.build(content, f"in: is {what}, and JSON needs one object a line; pipe it in: jq -c {call} FILE | "
                       "bloomery ... -", "--key", "a")
        self.ok("build", "in", "-o", "lines.bank")  # as plain lines it is what it is

    def test_lines_that_end_with_cr(self):
        self.build(b"a\rb\rc\r", "in: its lines end with CR and there is no LF, so it would be one record; pipe it "
                   "in: tr '\\r' '\\n' < FILE | bloomery ... -")
        self.ok("build", "-o", "x.bank", stdin=b"a\rb\n")

    def test_bytes_after_gzip(self):
        content = gzip.compress(b"a\nb\n")
        self.build(content + b"trailer", f"in: damaged gzip at byte {len(content)}: the bytes after the last member "
                   "are not gzip; restore a good copy")

    def test_an_empty_file(self):
        self.build(b"", "the input is empty; is this the right file, and did what writes it succeed?")

    def test_plans_that_are_none(self):
        self.write("p", "a\t1\n")
        self.fails("bloomery build: p: not a plan: no JSON at byte 1; plan -o makes one, and a bank is one, too",
                   "build", "-o", "x.bank", "--plan-from", "p", stdin=b"a\n")
        self.write("p", '{"bloomery_plan": 1}')
        self.fails("bloomery build: p: not a plan: a field is missing or is not what it should be; plan -o makes "
                   "one", "build", "-o", "x.bank", "--plan-from", "p", stdin=b"a\n")

    def test_a_bank_is_imported_already(self):
        bank = self.make_bank()
        self.fails(f"bloomery import: {bank}: is a bank already, not a filter of another system; ask it as it is, "
                   "or merge it", "import", bank, "-o", "x.bank")

    def test_one_file_by_two_names(self):
        bank = self.make_bank()
        self.fails(f"bloomery merge: ./{bank}: named twice; its keys would count twice",
                   "merge", bank, f"./{bank}", "-o", "x.bank")
        self.write("r", "a\n")
        self.fails("bloomery build: ./r: named twice; its records would count twice",
                   "build", "r", "./r", "-o", "x.bank")

    def test_too_many_bad_records_are_explained(self):
        self.write("r.csv", 'id,note\na,x\nb,"two\nlines"\nc\n')
        outcome = self.fails(
            "bloomery build: 3 of 4 records are bad, more than --max-bad 0.1% allows: 1 field_count (not as many "
            "fields as the header or the first record), 2 broken_quoting (the double quotes do not match); the "
            'first: r.csv: byte 12: the double quotes do not match: "b,"two"; --multiline allows line ends inside '
            "quotes, --rejects FILE shows them all, --lenient goes on without them",
            "build", "r.csv", "--key", "id", "-o", "x.bank")
        self.assertIn("--multiline", outcome.message)

    def test_rejected_records_come_back_as_they_were(self):
        self.write("r.tsv", b"id\tx\na\t1\t\\x41\nb\t\xff\t2\n")
        self.bloomery("build", "r.tsv", "-o", "x.bank", "--rejects", "bad", "--key", "id")
        lines = [json.loads(line) for line in (self.folder / "bad").read_text().splitlines()]
        self.assertEqual("a\t1\t\\x41", lines[0]["record"])
        self.assertEqual(b"b\t\xff\t2", base64.b64decode(lines[1]["record_b64"]))
        self.assertEqual("r.tsv", lines[0]["file"])
