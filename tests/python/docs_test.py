"""The Python blocks of docs/python.md, run in order as a reader would."""

import contextlib
import io
import os
import pathlib
import sys
import unittest

from support import FolderTest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "docs"))

import run_blocks  # noqa: E402


class Document(FolderTest):
    def test_blocks_run_and_print_what_stands_below_them(self):
        os.chdir(self.folder)
        self.addCleanup(os.chdir, ROOT)
        names, printed, ran = {}, None, 0
        for block in run_blocks.blocks((ROOT / "docs" / "python.md").read_text(encoding="utf-8")):
            if block.prints:
                self.assertEqual(block.text, printed, f"line {block.line}")
            elif block.language == "python" and not block.reason:
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(block.text, f"python.md:{block.line}", "exec"), names)
                printed, ran = out.getvalue(), ran + 1
        self.assertGreaterEqual(ran, 2)


if __name__ == "__main__":
    unittest.main()
