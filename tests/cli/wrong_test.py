"""Wrong invocations: each message names the flag, the value and a next step."""

from cli import CliTest

# A value that each sort of flag refuses. Those that take any text are listed apart.
WRONG = {
    "RATE": "1.5", "SIZE": "64Q", "N": "many", "K": "65", "M": "0.5", "L": "0", "X": "-1", "KIND": "round",
    "HASH": "md5", "LIST": "1,,2", "TYPE": "float", "FORMAT": "xml", "BYTE": "ab", "EXPR": "round(",
    "SHARE": "2", "NAME": "both", "NAME=TEXT": "alone", "WHEN": "now", "ENGINE": "abacus",
    "NAME=VALUE": "alone",
}
ANY_TEXT = {"COLUMN", "A..B", "FILE", "FOLDER", "GROUP", "PATHS", "URL"}
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
        self.fails("bloomery help: biuld: no such command; did you mean build?", "help", "biuld")
        self.fails("bloomery completions: tcsh: must be bash, zsh or fish", "completions", "tcsh")
        self.fails("bloomery inspect: BANK: missing; usage: bloomery inspect BANK... [FLAG...]",
                   "inspect")
        self.fails("bloomery formats: x: one argument too many; usage: bloomery formats [FLAG...]",
                   "formats", "x")
        self.fails("bloomery merge: --output: missing; write -o FILE", "merge", "a.bank")
        self.fails("bloomery inspect: a.bank: No such file or directory", "inspect", "a.bank")

    def test_rates_and_kinds(self):
        self.fails("bloomery plan: --fpr 1.5: must be above 0 and below 1",
                   "plan", "-n", "9", "-p", "1.5")
        self.fails("bloomery plan: --fpr 0%: must be above 0 and below 1",
                   "plan", "-n", "9", "-p", "0%")
        self.fails("bloomery plan: --fpr 1-in-0: must be a rate, such as 0.01, 1% or 1-in-100",
                   "plan", "-n", "9", "-p", "1-in-0")
        self.fails("bloomery plan: --kind blcoked: must be blocked, classic or counting; "
                   "did you mean blocked?", "plan", "-n", "9", "--kind", "blcoked")
        self.fails("bloomery plan: hashes 5: a blocked filter has 8 or 16; use --kind classic for any "
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
        self.fails("bloomery build: --output -: a bank is not written front to back; name a file",
                   "build", "-o", "-", stdin=b"a\n")
        bank = self.make_bank()
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
