"""check_layers.py must be able to fail: each rule broken once, in a tree of its own."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"


def check(files):
    """Runs the tool over a tree of {path: text}; gives exit status and output."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        run = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


class CheckLayers(unittest.TestCase):
    def assert_refused(self, files, message):
        status, output = check(files)
        self.assertEqual(status, 1, output)
        self.assertIn(message, output)

    def test_earlier_own_and_foreign_includes_pass(self):
        status, output = check({
            "src/base/a.h": "#include <vector>\n#include <fmt/core.h>\n",
            "src/filter/b.cpp": '#include "base/a.h"\n#include "bloomery/hash.h"\n#include "c.h"\n',
            "src/filter/c.h": '#include "filter/b.h"\n',
            "cli/main.cpp": '#include "engines/threads/x.h"\n#include "report/y.h"\n',
        })
        self.assertEqual(status, 0, output)
        self.assertIn("4 files, 0 wrong includes", output)

    def test_later_folder_is_refused_with_file_and_line(self):
        self.assert_refused({"src/hash/a.cpp": '\n#include "bank/b.h"\n'},
                            'src/hash/a.cpp:2: hash includes "bank/b.h" of bank')

    def test_later_public_header_is_refused(self):
        self.assert_refused({"src/base/a.h": '#include "bloomery/filter.h"\n'}, "of filter")
        self.assert_refused({"include/bloomery/hash.h": "#include <bloomery/bank.h>\n"}, "of bank")

    def test_core_may_not_include_engines_or_cli(self):
        self.assert_refused({"src/report/a.h": '#include "engines/threads/b.h"\n'}, "of engines")
        self.assert_refused({"engines/threads/a.h": '#include "cli/command.h"\n'}, "of cli")

    def test_public_header_without_a_folder_is_refused(self):
        self.assert_refused({"src/base/a.h": '#include "bloomery/new.h"\n'}, "bloomery/new.h is not")
        self.assert_refused({"include/bloomery/new.h": "\n"}, "belongs to no folder")

    def test_folder_outside_the_order_is_refused(self):
        self.assert_refused({"src/odds/a.h": "\n"}, "belongs to no folder")
        self.assert_refused({"src/odds/a.h": "\n", "src/bank/b.h": '#include "odds/a.h"\n'},
                            "folder odds is not named")

    def test_path_upwards_is_refused(self):
        self.assert_refused({"src/base/a.h": '#include "../bank/b.h"\n'}, "does not start at")

    def test_empty_tree_is_refused(self):
        self.assert_refused({}, "no sources found")


if __name__ == "__main__":
    unittest.main()
