"""Help, manual pages, completions and docs/cli.md all come from the tables, and fit the screen."""

import shutil
import subprocess

from cli import PROGRAM, SOURCE, CliTest


class Help(CliTest):
    def commands(self):
        return self.ok("help", "--json").json["commands"]

    def test_short_help_is_one_screen_and_long_help_80_columns(self):
        for command in self.commands():
            words = command["name"].split()
            short = self.ok(*words, "-h").text.splitlines()
            self.assertLessEqual(len(short), 24, command["name"])
            for line in short + self.ok(*words, "--help").text.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_overview_is_one_screen(self):
        lines = self.ok("--help").text.splitlines()
        self.assertLessEqual(len(lines), 24)
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual(self.ok("-h").text, self.ok("help").text)

    def test_long_help_names_every_flag(self):
        for command in self.commands():
            text = self.ok(*command["name"].split(), "--help").text
            for flag in command["flags"]:
                self.assertIn(", ".join(flag["names"]), text)
            self.assertEqual(text, self.ok("help", *command["name"].split()).text)

    def test_a_first_word_alone_explains_all_that_follow_it(self):
        pages = [self.ok("help", "generate", word).text for word in ("ratings", "words", "key")]
        self.assertEqual("\n".join(pages), self.ok("help", "generate").text)
        self.assertEqual(self.ok("--version").text, self.ok("-V").text)

    def test_help_wins_over_what_is_wrong(self):
        self.assertIn("Usage: bloomery build", self.ok("build", "--fpr", "7", "-h").text)

    def test_every_command_has_three_examples(self):
        for command in self.commands():
            page = self.ok("man", *command["name"].split()).text
            examples = page.split(".SH EXAMPLES")[1].split(".SH")[0]
            self.assertGreaterEqual(examples.count(".TP"), 3, command["name"])

    def test_manual_pages_are_good_roff(self):
        for name in [[]] + [command["name"].split() for command in self.commands()]:
            page = self.ok("man", *name).out
            run = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page,
                                 capture_output=True, check=False)
            self.assertEqual((0, b""), (run.returncode, run.stderr), name)

    def test_docs_cli_is_what_the_program_prints(self):
        written = (SOURCE / "docs" / "cli.md").read_text(encoding="utf-8")
        self.assertEqual(written, self.ok("help", "--format", "md").text,
                         "run bloomery help --format md > docs/cli.md")


class Completions(CliTest):
    def complete(self, *words):
        """What bash offers for the last word."""
        script = self.ok("completions", "bash").text + (
            f"COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}\n"
            "_bloomery; printf '%s\\n' \"${COMPREPLY[@]}\"\n")
        folder = str(PROGRAM).rpartition("/")[0]
        run = subprocess.run(["bash", "-c", f"PATH={folder}:$PATH\n{script}"], cwd=self.folder,
                             capture_output=True, text=True, check=True)
        return run.stdout.splitlines()

    def test_bash_completes_commands_flags_and_values(self):
        self.assertIn("build", self.complete("bloomery", "b"))
        self.assertIn("ratings", self.complete("bloomery", "generate", ""))
        self.assertIn("--fpr", self.complete("bloomery", "build", "--f"))
        self.assertEqual(["blocked"], self.complete("bloomery", "build", "--kind", "b"))

    def test_bash_completes_groups_of_the_bank(self):
        bank = self.make_bank(records=b"a\tred\nb\tblue\n")
        self.assertEqual(["blue", "red"], self.complete("bloomery", "query", bank, "--only", ""))
        self.assertEqual(["red"], self.complete("bloomery", "inspect", bank, "--only", "r"))

    def test_bash_completes_names_with_spaces(self):
        self.make_bank("my data.bank", records=b"a\tNorth East\nb\tSouth\n")
        for typed in ("my\\ data.bank", '"my data.bank"'):
            self.assertEqual(["North East"], self.complete("bloomery", "query", typed, "--only", "North\\ E"))
        self.assertEqual(["my data.bank"], self.complete("bloomery", "inspect", "my\\ d"))

    def test_bash_completes_commands_shells_and_values_after_equals(self):
        self.assertEqual(["generate"], self.complete("bloomery", "help", "g"))
        self.assertEqual(["generate"], self.complete("bloomery", "man", "g"))
        self.assertEqual(["bash", "zsh", "fish"], self.complete("bloomery", "completions", ""))
        self.assertEqual(["classic"], self.complete("bloomery", "build", "--kind", "=", "cl"))
        self.assertEqual(["blocked", "classic", "counting"], self.complete("bloomery", "build", "--kind", "="))

    def test_scripts_are_good_for_their_shells(self):
        for shell in ("bash", "zsh", "fish"):
            if shutil.which(shell) is None:
                print(f"completions: {shell}: skipped: not installed")
                continue
            self.write("script", self.ok("completions", shell).out)
            subprocess.run([shell, "-n", "script"], cwd=self.folder, check=True)

    def test_all_shells_know_every_flag(self):
        flags = self.ok("help", "build", "--json").json["commands"][0]["flags"]
        for shell, prefix in (("bash", "--"), ("zsh", "--"), ("fish", "-l ")):
            script = self.ok("completions", shell).text
            for flag in flags:
                self.assertIn(prefix + flag["names"][-1].removeprefix("--"), script)
