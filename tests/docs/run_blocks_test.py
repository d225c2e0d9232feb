"""run_blocks.py must be able to fail: each way a document can be wrong, once."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parent / "run_blocks.py"


def check(*parts, options=()):
    """Runs the tool over a document of these parts; gives exit status and output."""
    with tempfile.TemporaryDirectory() as folder:
        document = pathlib.Path(folder, "page.md")
        document.write_text("\n".join(parts) + "\n", encoding="utf-8")
        run = subprocess.run([sys.executable, TOOL, document, *options], capture_output=True,
                             text=True)
        return run.returncode, run.stdout + run.stderr


def fenced(language, text):
    return f"```{language}\n{text}\n```"


class RunBlocks(unittest.TestCase):
    def assert_passes(self, *parts, says="", **options):
        status, output = check(*parts, **options)
        self.assertEqual(status, 0, output)
        self.assertIn(says, output)

    def assert_fails(self, *parts, says="", **options):
        status, output = check(*parts, **options)
        self.assertEqual(status, 1, output)
        self.assertIn(says, output)

    def test_shell_block_runs_and_its_failure_is_seen(self):
        self.assert_passes(fenced("sh", "echo a > file\ntest -s file"), says="page.md:1: sh: ran")
        self.assert_fails(fenced("sh", "false\ntrue"), says="exit status 1")
        self.assert_fails(fenced("bash", "false | true"), says="exit status 1")

    def test_blocks_of_one_file_share_a_folder_that_starts_empty(self):
        self.assert_passes(fenced("sh", 'test -z "$(ls)"; echo a > file'),
                           fenced("sh", "test -s file"))

    def test_console_output_is_compared(self):
        self.assert_passes(fenced("console", "$ echo a\na\n$ echo b; exit 1\nb"))
        self.assert_passes(fenced("console", "$ echo a \\\n    b\na b"))
        self.assert_fails(fenced("console", "$ echo a\nb"), says="the document says")
        self.assert_fails(fenced("console", "$ echo a"), says="it prints")
        self.assert_fails(fenced("console", "echo a"), says="starts with")

    def test_printed_output_of_a_block_is_compared(self):
        note = "<!-- prints -->"
        self.assert_passes(fenced("sh", "echo a"), note, fenced("text", "a"), says="as printed")
        self.assert_fails(fenced("sh", "echo a"), note, fenced("text", "b"), says="output differs")
        self.assert_fails(note, fenced("text", "b"), says="no block that ran")

    def test_cpp_block_is_compiled_and_run(self):
        compiler = ("--compile", "g++ -std=c++20 {}")
        block = fenced("cpp", '#include <cstdio>\n\nstd::puts("hello");')
        self.assert_passes(block, "<!-- prints -->", fenced("text", "hello"), options=compiler)
        self.assert_passes(fenced("cpp", "int main() { return 0; }"), options=compiler)
        self.assert_fails(fenced("cpp", "int main() { return 3; }"), options=compiler,
                          says="exit status 3")
        self.assert_fails(fenced("cpp", "no such thing"), options=compiler, says="error:")
        self.assert_fails(block, says="needs --compile")

    def test_skipped_block_is_printed_with_its_reason(self):
        self.assert_passes("<!-- not run: needs a cluster -->", fenced("sh", "false"),
                           says="skipped: needs a cluster")

    def test_unknown_language_is_refused(self):
        self.assert_fails(fenced("cobol", "STOP RUN."), says="'cobol' is not known")

    def test_link_must_lead_somewhere(self):
        self.assert_passes("[this page](page.md#top) [other](https://example.org/x)")
        self.assert_fails("[gone](gone.md)", says="link to gone.md")

    def test_block_in_a_list_is_found(self):
        self.assert_fails("- item:\n", "  ```sh\n  false\n  ```", says="exit status 1")


if __name__ == "__main__":
    unittest.main()
